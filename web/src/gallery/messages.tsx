import { useState } from 'react';
import { useForm } from '#web/lib/form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { AvatarPlaceholder } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { CropDialog } from '#web/ui/crop-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { EmptyIllustration } from '#web/ui/empty-illustration.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Field } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Landscape } from '#web/ui/landscape.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { Menu, MenuSeparator } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { PageSkeleton } from '#web/ui/page-skeleton.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { ResultIcon } from '#web/ui/result-icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { notify, toast } from '#web/ui/toast.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';
import { ComponentSection, Example, Group } from './example.tsx';
import styles from './gallery.module.css';
import { LONG_TEXT, samplePicture } from './samples.ts';

const Notices = () => (
  <ComponentSection files="alert" text="一句话，和它说的东西在一起。">
    {(['info', 'ok', 'warn'] as const).map((tone) => (
      <Example key={tone} state={tone}>
        <Alert tone={tone}>审核通过后，文章会出现在这里。</Alert>
      </Example>
    ))}
    <Example state="bad，长的文字">
      <Alert tone="bad">{LONG_TEXT}</Alert>
    </Example>
  </ComponentSection>
);

const Badges = () => (
  <>
    <ComponentSection files="badge" text="一个词说清是什么，或到了哪一步。">
      {(['plain', 'paid', 'member', 'ok', 'warn', 'bad', 'info'] as const).map((tone) => (
        <Example key={tone} state={tone}>
          <Badge tone={tone}>
            <Icon name="check" />
            已上架
          </Badge>
        </Example>
      ))}
    </ComponentSection>
    <ComponentSection files="unread-count" text="有多少是新的。">
      <Example state="平常">
        <div className="row">
          <UnreadCount count={3} unit="条未读" />
        </div>
      </Example>
      <Example state="很多，在头像的角上">
        <div className={`row ${styles.corner}`}>
          <AvatarPlaceholder />
          <UnreadCount count={120} unit="条未读" at="face" />
        </div>
      </Example>
    </ComponentSection>
    <ComponentSection files="result-icon" text="结果怎样，话在它下面。">
      <Example state="ok">
        <ResultIcon tone="ok" />
      </Example>
      <Example state="warn，大的">
        <ResultIcon tone="warn" large />
      </Example>
    </ComponentSection>
  </>
);

function Progressing() {
  const [active, setActive] = useState(false);
  return (
    <>
      <ComponentSection files="skeleton loading-skeleton" text="文字或图片将要出现的地方。">
        <Example state="几种大小">
          <div className="stack gap-3" aria-hidden="true">
            <Skeleton width="30" height="l" />
            <Skeleton width="70" height="m" />
            <Skeleton />
            <Skeleton height="l" round />
          </div>
        </Example>
        <Example state="几行">
          <LoadingSkeleton className="stack gap-3" lines={['30 l', '82 m', '70']} />
        </Example>
      </ComponentSection>
      <ComponentSection files="page-skeleton" text="还没有来的页面。">
        <Example state="忙" wide>
          <PageSkeleton />
        </Example>
      </ComponentSection>
      <ComponentSection
        files="progress progress-bar"
        text="看得到头的事走到了哪里；页面上沿的细线说下一页在路上。"
      >
        <Example state="刚开始">
          <Progress value={0} label="还没有开始" />
        </Example>
        <Example state="一半">
          <Progress value={0.5} label="上传进度" />
        </Example>
        <Example state="页面上沿">
          <Button aria-pressed={active} onClick={() => setActive(!active)}>
            {active ? '到了' : '出发'}
          </Button>
          <ProgressBar active={active} />
        </Example>
      </ComponentSection>
    </>
  );
}

const EmptyStates = () => (
  <ComponentSection
    files="empty empty-list load-failed query-content empty-illustration"
    text="这里没有东西，或这一次没有来：说为什么，接下来做什么。"
  >
    <Example state="整页是空的" wide>
      <Empty
        title="还没有文章"
        level="h3"
        picture={<Landscape seed="还没有文章" />}
        actions={<Button variant="primary">写第一篇</Button>}
      >
        <p>第一篇发布之后，它会出现在这里。</p>
      </Empty>
    </Example>
    <Example state="一部分是空的">
      <Empty small level="h3" title="没有找到" picture={<EmptyIllustration />}>
        <p>换一个更短的词试试。</p>
      </Empty>
    </Example>
    <Example state="列表里还没有">
      <EmptyList level="h3" title="还没有收藏">
        <p>读到喜欢的文章，点一下星标。</p>
      </EmptyList>
    </Example>
    <Example state="来了的">
      <QueryContent query={{ data: '这是答复。', error: null, refetch: never }} loading={null}>
        {(answer) => <p>{answer}</p>}
      </QueryContent>
    </Example>
    <Example state="没有载入">
      <LoadFailed level="h3" error={new Error()} onRetry={() => toast('再试一次')} />
    </Example>
  </ComponentSection>
);

const never = () => new Promise<never>(() => {});

const forms = { 平常: {}, 忙着: { busy: true }, 有错: { formError: '网络不通，请稍后再试' } };

function FolderForm({ state }: { state: Partial<Pick<ReturnType<typeof useForm>, 'busy' | 'formError'>> }) {
  const form = useForm({ names: ['folder'], submit: async () => toast('保存了') });
  return (
    <DialogForm form={{ ...form, ...state }} action="保存" onCancel={() => toast('取消了')}>
      <Field {...form.field('folder')} label="名称" />
    </DialogForm>
  );
}

function Windows() {
  const [open, setOpen] = useState<'dialog' | 'alert' | 'right' | 'left'>();
  const close = () => setOpen(undefined);
  const lazyDialog = useLazyDialog(async () => Dialog);
  const cropDialog = useLazyDialog(async () => CropDialog);
  const [picture] = useState(samplePicture);
  const footer = <Button onClick={close}>知道了</Button>;
  return (
    <>
      <ComponentSection files="dialog lazy-dialog" text="焦点留在里面；用 Esc、叉或旁边的空处关上。">
        <Example state="平常" focus>
          <Button onClick={() => setOpen('dialog')}>打开对话框</Button>
        </Example>
        <Example state="必须回答">
          <Button onClick={() => setOpen('alert')}>打开提问</Button>
        </Example>
        <Example state="用到时才取来">
          <Button onClick={lazyDialog.open}>打开取来的对话框</Button>
          {lazyDialog.dialog({ title: '取来的对话框' })}
        </Example>
      </ComponentSection>
      <ComponentSection files="crop-dialog" text="上传之前裁剪、旋转；可以拖动、缩放，也可以用键盘。">
        <Example state="平常">
          <Button onClick={cropDialog.open}>裁剪图片</Button>
          {cropDialog.dialog({
            title: '裁剪封面',
            file: picture,
            shapes: [
              { label: '16:9', aspect: 16 / 9 },
              { label: '1:1', aspect: 1 },
            ],
            onDone: () => toast('裁剪好了'),
          })}
        </Example>
      </ComponentSection>
      <ComponentSection files="dialog-form" text="对话框里的表单：出错的话在上面，两个按钮在下面。">
        {Object.entries(forms).map(([state, form]) => (
          <Example key={state} state={state}>
            <FolderForm state={form} />
          </Example>
        ))}
      </ComponentSection>
      <ComponentSection files="drawer" text="从一边出来，手机上从下面出来。">
        <Example state="右边">
          <Button onClick={() => setOpen('right')}>从右边打开</Button>
        </Example>
        <Example state="左边">
          <Button onClick={() => setOpen('left')}>从左边打开</Button>
        </Example>
      </ComponentSection>
      <ComponentSection files="confirm confirm-dialog" text="做难以挽回的事之前先问。">
        <Example state="平常">
          <Button onClick={() => confirm({ title: '退出登录？', action: '退出' })}>问一句</Button>
        </Example>
        <Example state="危险的事">
          <Button
            variant="danger"
            onClick={() =>
              confirm({ title: '删除这篇文章？', text: '删除以后不能恢复。', action: '删除', danger: true })
            }
          >
            删除
          </Button>
        </Example>
      </ComponentSection>
      <Dialog
        open={open === 'dialog' || open === 'alert'}
        alert={open === 'alert'}
        onOpenChange={close}
        title="新建收藏夹"
        description="收藏夹默认不公开。"
        footer={footer}
      >
        <Field name="folder" label="名称" />
      </Dialog>
      <Drawer
        open={open === 'right' || open === 'left'}
        side={open === 'left' ? 'left' : 'right'}
        onOpenChange={close}
        title="通知"
        footer={footer}
      >
        <p>{LONG_TEXT}</p>
      </Drawer>
    </>
  );
}

const Menus = () => (
  <ComponentSection files="menu menu-item" text="在按钮下面展开的列表。">
    <Example state="平常" focus>
      <Menu label="更多操作" button={<Icon name="more" />}>
        <MenuItem icon="pen" onClick={() => toast('编辑')}>
          编辑
        </MenuItem>
        <MenuSeparator />
        <li>
          <button type="button" onClick={() => toast('举报')}>
            举报
          </button>
        </li>
      </Menu>
    </Example>
  </ComponentSection>
);

const Toasting = () => (
  <ComponentSection files="toast" text="过一会自己消失的短消息；同样的话只有一条，最多三条。">
    <Example state="ok">
      <Button onClick={() => toast('已保存')}>说一句</Button>
    </Example>
    <Example state="warn，长的文字">
      <Button onClick={() => toast(LONG_TEXT, 'warn')}>提醒</Button>
    </Example>
    <Example state="bad，有标题">
      <Button onClick={() => notify({ title: '请求错误 500', text: '服务器出错了，请稍后再试。' })}>
        通知
      </Button>
    </Example>
  </ComponentSection>
);

export const Messages = () => (
  <Group id="messages" title="消息与窗口">
    <Notices />
    <Toasting />
    <Badges />
    <Progressing />
    <EmptyStates />
    <Menus />
    <Windows />
  </Group>
);
