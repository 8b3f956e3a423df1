import { useState } from 'react';
import { Avatar, AvatarBlank } from '#web/ui/avatar.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Hills } from '#web/ui/hills.tsx';
import { CategoryIcon, Icon as FrameIcon } from '#web/ui/icon.tsx';
import { Icon, iconNames } from '#web/ui/icon-set.tsx';
import { Logo, Mark } from '#web/ui/logo.tsx';
import { Landscape } from '#web/ui/picture.tsx';
import { Plot } from '#web/ui/plot.tsx';
import { Prose } from '#web/ui/prose.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import { Said } from '#web/ui/said.tsx';
import { Day, Time } from '#web/ui/time.tsx';
import styles from './gallery.module.css';
import { DAY, LONG, NAME, PICTURE, PROSE, SAID } from './samples.ts';
import { Group, Part, Specimen } from './specimen.tsx';

const Texts = () => (
  <>
    <Part files="prose" text="文章的正文，由服务器排好。">
      <Specimen state="各种段落" wide>
        <Prose html={PROSE} />
      </Specimen>
    </Part>
    <Part files="said" text="评论、私信与聊天里说的话。">
      <Specimen state="平常" wide>
        <Said html={SAID} />
      </Specimen>
    </Part>
    <Part files="time" text="日期，和多久以前。">
      <Specimen state="日期">
        <Day at={DAY} />
      </Specimen>
      <Specimen state="多久以前">
        <Time at={DAY} />
      </Specimen>
    </Part>
  </>
);

const Pictures = () => (
  <>
    <Part files="avatar hills" text="头像；没有给的，由名字画一张。">
      <Specimen state="几种大小">
        <div className="row wraps gap-3">
          {(['small', 'medium', 'face', 'author', 'large', 'profile'] as const).map((size) => (
            <Avatar key={size} name={NAME} image="" size={size} />
          ))}
        </div>
      </Specimen>
      <Specimen state="有图">
        <Avatar name={NAME} image={PICTURE} size="author" />
      </Specimen>
      <Specimen state="空">
        <AvatarBlank size="author" />
      </Specimen>
      <Specimen state="画出来的">
        <div className={styles.picture}>
          <Hills seed={NAME} />
        </div>
      </Specimen>
    </Part>
    <Part files="cover picture" text="封面；没有给的，由标题画一张。">
      {['一次雪崩之后', '虚拟列表', '断电那一刻', '闭包转换'].map((title) => (
        <Specimen key={title} state={title}>
          <div className={styles.picture}>
            <Cover title={title} image="" />
          </div>
        </Specimen>
      ))}
      <Specimen state="有图">
        <div className={styles.picture}>
          <Cover title="有图" image={PICTURE} />
        </div>
      </Specimen>
      <Specimen state="山">
        <div className={styles.picture}>
          <Landscape seed="山" anchor="bottom" />
        </div>
      </Specimen>
    </Part>
    <Part files="logo" text="站点的标志与名字。">
      <Specimen state="平常">
        <Logo title="墨栈" image="" />
      </Specimen>
      <Specimen state="自己的图，长的名字">
        <Logo title={LONG.slice(0, 12)} image={PICTURE} />
      </Specimen>
      <Specimen state="只有标志">
        <Mark />
      </Specimen>
    </Part>
    <Part files="icon icon-set" text="每页都有的几个在第一个脚本里，其余的随用到它的页面来。">
      <Specimen state="全部" wide>
        <ul className={`stack gap-4 ${styles.icons}`}>
          {iconNames.map((name) => (
            <li key={name} className="stack gap-1 text-center ink-2 text-xs">
              <span className="centred">
                <Icon name={name} />
              </span>
              {name}
            </li>
          ))}
        </ul>
      </Specimen>
      <Specimen state="小的">
        <FrameIcon name="search" small />
      </Specimen>
      <Specimen state="分类的，没有画过的名字">
        <CategoryIcon name="no-such-icon" />
      </Specimen>
    </Part>
    <Part files="qr-code qr-frame" text="二维码在白纸上，深色主题里也是。">
      <Specimen state="平常">
        <QrFrame>
          <QrCode text="https://example.com/essay" label="文章的二维码" />
        </QrFrame>
      </Specimen>
      <Specimen state="空，大的">
        <QrFrame large>{null}</QrFrame>
      </Specimen>
    </Part>
  </>
);

const points = [3, 5, 2, 8, 13, 9, 21].map((value, index) => ({ name: `11 月 ${index + 1} 日`, value }));

function Plots() {
  const [at, setAt] = useState<number | null>(4);
  return (
    <Part files="plot" text="随时间变化的数；指着哪里就读哪里，也可以用方向键。">
      <Specimen state="平常" focus>
        <Plot label="阅读" points={points} per="天" format={String} at={at} onRead={setAt} />
      </Specimen>
      <Specimen state="全是零">
        <Plot
          label="打赏"
          points={points.map(({ name }) => ({ name, value: 0 }))}
          per="天"
          format={String}
          at={null}
          onRead={() => {}}
        />
      </Specimen>
    </Part>
  );
}

export const Content = () => (
  <Group id="content" title="内容">
    <Texts />
    <Pictures />
    <Plots />
  </Group>
);
