import { useState } from 'react';
import { coverKinds } from '#web/lib/cover-choice.ts';
import { hues } from '#web/lib/landscape-shapes.ts';
import { Avatar, AvatarPlaceholder, GuestAvatar } from '#web/ui/avatar.tsx';
import { ComparisonPlot } from '#web/ui/comparison-plot.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { GeneratedAvatar } from '#web/ui/generated-avatar.tsx';
import { CategoryIcon, Icon as FrameIcon } from '#web/ui/icon.tsx';
import { Icon, iconNames } from '#web/ui/icon-set.tsx';
import { Landscape } from '#web/ui/landscape.tsx';
import { Logo, LogoMark } from '#web/ui/logo.tsx';
import { MessageText } from '#web/ui/message-text.tsx';
import { Plot } from '#web/ui/plot.tsx';
import { Prose } from '#web/ui/prose.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import { Sparkline } from '#web/ui/sparkline.tsx';
import { DateText, RelativeTime } from '#web/ui/time.tsx';
import { ComponentSection, Example, Group } from './example.tsx';
import styles from './gallery.module.css';
import { DATE, LONG_TEXT, MESSAGE, NAME, PICTURE, PROSE } from './samples.ts';

const Texts = () => (
  <>
    <ComponentSection files="prose" text="文章的正文，由服务器排好。">
      <Example state="各种段落" wide>
        <Prose html={PROSE} />
      </Example>
    </ComponentSection>
    <ComponentSection files="message-text" text="评论、私信与聊天里说的话。">
      <Example state="平常" wide>
        <MessageText html={MESSAGE} />
      </Example>
    </ComponentSection>
    <ComponentSection files="time" text="日期，和多久以前。">
      <Example state="日期">
        <DateText at={DATE} />
      </Example>
      <Example state="多久以前">
        <RelativeTime at={DATE} />
      </Example>
    </ComponentSection>
  </>
);

const Pictures = () => (
  <>
    <ComponentSection files="avatar generated-avatar" text="头像；没有给的，由名字画一张。">
      <Example state="几种大小">
        <div className="row wraps gap-3">
          {(['small', 'medium', 'face', 'author', 'large', 'profile'] as const).map((size) => (
            <Avatar key={size} name={NAME} image="" size={size} />
          ))}
        </div>
      </Example>
      <Example state="有图">
        <Avatar name={NAME} image={PICTURE} size="author" />
      </Example>
      <Example state="访客">
        <GuestAvatar name={NAME} />
      </Example>
      <Example state="空">
        <AvatarPlaceholder size="author" />
      </Example>
      <Example state="画出来的">
        <div className={styles.picture}>
          <GeneratedAvatar seed={NAME} />
        </div>
      </Example>
    </ComponentSection>
    <ComponentSection files="cover landscape" text="封面；没有给的，由标题画一张。">
      {coverKinds.map((kind, index) => (
        <Example key={kind} state={kind}>
          <div className={styles.picture}>
            <Cover title={`封面 ${kind}`} image="" choice={{ kind, hue: hues[index] ?? 28 }} />
          </div>
        </Example>
      ))}
      <Example state="有图">
        <div className={styles.picture}>
          <Cover title="有图" image={PICTURE} />
        </div>
      </Example>
      <Example state="山">
        <div className={styles.picture}>
          <Landscape seed="山" anchor="bottom" />
        </div>
      </Example>
    </ComponentSection>
    <ComponentSection files="logo" text="站点的标志与名字。">
      <Example state="平常">
        <Logo title="墨栈" image="" />
      </Example>
      <Example state="自己的图，长的名字">
        <Logo title={LONG_TEXT.slice(0, 12)} image={PICTURE} />
      </Example>
      <Example state="只有标志">
        <LogoMark />
      </Example>
    </ComponentSection>
    <ComponentSection files="icon icon-set" text="每页都有的几个在第一个脚本里，其余的随用到它的页面来。">
      <Example state="全部" wide>
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
      </Example>
      <Example state="小的">
        <FrameIcon name="search" small />
      </Example>
      <Example state="分类的，没有画过的名字">
        <CategoryIcon name="no-such-icon" />
      </Example>
    </ComponentSection>
    <ComponentSection files="qr-code qr-frame" text="二维码在白纸上，深色主题里也是。">
      <Example state="平常">
        <QrFrame>
          <QrCode text="https://example.com/essay" label="文章的二维码" />
        </QrFrame>
      </Example>
      <Example state="空，大的">
        <QrFrame large>{null}</QrFrame>
      </Example>
    </ComponentSection>
  </>
);

const points = [3, 5, 2, 8, 13, 9, 21].map((value, index) => ({ name: `11 月 ${index + 1} 日`, value }));

function Plots() {
  const [at, setAt] = useState<number | null>(4);
  return (
    <ComponentSection files="plot" text="随时间变化的数；指着哪里就读哪里，也可以用方向键。">
      <Example state="平常" focus>
        <Plot label="阅读" points={points} per="天" format={String} at={at} onSelect={setAt} />
      </Example>
      <Example state="全是零">
        <Plot
          label="打赏"
          points={points.map(({ name }) => ({ name, value: 0 }))}
          per="天"
          format={String}
          at={null}
          onSelect={() => {}}
        />
      </Example>
    </ComponentSection>
  );
}

const compared = points.map((point, index) => ({ ...point, before: 12 - index }));

function ComparedPlots() {
  const [at, setAt] = useState<number | null>(null);
  return (
    <>
      <ComponentSection files="comparison-plot" text="这段时间与上一段时间比；虚线是上一段。">
        <Example state="平常" focus>
          <ComparisonPlot label="阅读" points={compared} format={String} at={at} onSelect={setAt} />
        </Example>
        <Example state="全是零">
          <ComparisonPlot
            label="打赏"
            points={compared.map(({ name }) => ({ name, value: 0, before: 0 }))}
            format={String}
            at={null}
            onSelect={() => {}}
          />
        </Example>
      </ComponentSection>
      <ComponentSection files="sparkline" text="列表里的一条线，没有刻度。">
        <Example state="平常">
          <Sparkline label="近 7 天的阅读" values={points.map(({ value }) => value)} />
        </Example>
        <Example state="全是零">
          <Sparkline label="近 7 天的阅读" values={points.map(() => 0)} />
        </Example>
      </ComponentSection>
    </>
  );
}

export const Content = () => (
  <Group id="content" title="内容">
    <Texts />
    <Pictures />
    <Plots />
    <ComparedPlots />
  </Group>
);
