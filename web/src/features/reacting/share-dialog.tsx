import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { shareChannels } from '@mozhan/contract/shares.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { essayQuery } from '#web/features/essays/essay-query.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { type EssayAddress, essayPath } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { copyWhenReady } from '#web/ui/copy-text.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { Optional } from '#web/ui/optional.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { type Tab, Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './share-dialog.module.css';

type Channel = (typeof shareChannels)[number];

const tabs: readonly Tab<Channel>[] = [
  { key: 'link', label: '链接', icon: 'link' },
  { key: 'wechat', label: '微信', icon: 'qr' },
  { key: 'weibo', label: '微博', icon: 'at' },
  { key: 'poster', label: '海报', icon: 'image' },
];

/** A signed-in reader's link contains a code that counts reads. Only `share` records a share. */
function useShare(essay: EssayAddress, channel: Channel) {
  const { id: essayId } = essay;
  const api = useApi();
  const { siteUrl } = useApp();
  const queryClient = useQueryClient();
  const isSignedIn = useCurrentUser() !== null;
  const url = siteUrl + essayPath(essay);

  const linkWithoutCode = { code: '', url, qr: '' };

  async function share() {
    if (!isSignedIn) return linkWithoutCode;
    const created = await api('POST core/essay/share', { essayId, channel });
    // Only the first share changes the count.
    void queryClient.invalidateQueries({ queryKey: essayQuery(api, essayId).queryKey });
    return created;
  }

  return {
    share,
    /** For links that leave the page: does not wait and ignores failures. */
    recordShare: () => void share().catch(() => {}),
    previewQuery: {
      queryKey: ['share', essayId, channel, isSignedIn] as const,
      queryFn: () =>
        isSignedIn ? api('POST core/essay/share', { essayId, channel, prepare: true }) : linkWithoutCode,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
    },
  };
}

const Preparing = () => (
  <p className={styles.waiting} role="status">
    正在准备…
  </p>
);

interface PanelErrorProps {
  error: unknown;
  onRetry: () => void;
}

const PanelError = ({ error, onRetry }: PanelErrorProps) => (
  <div className={styles.waiting} role="alert">
    {errorMessageOf(error)}
    <Button size="small" onClick={onRetry}>
      再试一次
    </Button>
  </div>
);

interface PanelProps {
  essay: Essay;
}

const canShareNatively = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

function LinkPanel({ essay }: PanelProps) {
  const { siteUrl } = useApp();
  const { share } = useShare(essay, 'link');
  const [url, setUrl] = useState(siteUrl + essayPath(essay));

  async function getUrl(): Promise<string> {
    const { url } = await share();
    setUrl(url);
    return url;
  }

  async function copy(): Promise<void> {
    await runWithErrorToast(async () => {
      if (await copyWhenReady(getUrl())) toast('已复制');
    });
  }

  async function shareNatively(): Promise<void> {
    try {
      await navigator.share({ title: essay.title, url: await getUrl() });
    } catch (error) {
      if (!(error instanceof DOMException)) toast(errorMessageOf(error), 'warn');
    }
  }

  return (
    <>
      <p>
        《{essay.title}》，作者 {essay.author.displayName}
      </p>
      <input
        className={`sunken text-s ${styles.url}`}
        aria-label="文章链接"
        value={url}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className={styles.buttons}>
        <Button variant="primary" onClick={copy}>
          <Icon name="copy" small />
          复制链接
        </Button>
        {canShareNatively() ? (
          <Button onClick={shareNatively}>
            <Icon name="share" small />
            发给朋友
          </Button>
        ) : null}
      </div>
    </>
  );
}

function WechatPanel({ essay }: PanelProps) {
  const { data, error, refetch } = useQuery(useShare(essay, 'wechat').previewQuery);
  if (error !== null) return <PanelError error={error} onRetry={refetch} />;
  return (
    <>
      <div className={styles.code}>
        {data === undefined ? null : data.qr === '' ? (
          <Optional>
            <QrCode text={data.url} label="文章的二维码" />
          </Optional>
        ) : (
          <img src={`data:image/svg+xml,${encodeURIComponent(data.qr)}`} alt="文章的二维码" />
        )}
      </div>
      <p>用微信扫一扫，在手机上打开后转发。</p>
    </>
  );
}

const weiboUrl = (url: string, title: string) =>
  `https://service.weibo.com/share/share.php?${new URLSearchParams({ url, title })}`;

function WeiboPanel({ essay }: PanelProps) {
  const { title, author } = essay;
  const { previewQuery, recordShare } = useShare(essay, 'weibo');
  const { data, error, refetch } = useQuery(previewQuery);
  if (error !== null) return <PanelError error={error} onRetry={refetch} />;
  if (data === undefined) return <Preparing />;
  return (
    <>
      <p>
        《{title}》，作者 {author.displayName}
      </p>
      <div className={styles.buttons}>
        <a
          className={buttonClass({ variant: 'primary' })}
          href={weiboUrl(data.url, `《${title}》`)}
          target="_blank"
          rel="noopener noreferrer"
          onClick={recordShare}
        >
          去微博发布
        </a>
      </div>
    </>
  );
}

interface PosterPanelProps extends PanelProps {
  /** Words of the essay that the poster shows. */
  quote?: string;
}

export function PosterPanel({ essay, quote }: PosterPanelProps) {
  const { id, title } = essay;
  const { basePath } = useApp();
  const { previewQuery, recordShare } = useShare(essay, 'poster');
  const { data, error, refetch } = useQuery(previewQuery);
  const [state, setState] = useState<'waiting' | 'there' | 'failed'>('waiting');
  if (error !== null) return <PanelError error={error} onRetry={refetch} />;
  if (state === 'failed') return <PanelError error={undefined} onRetry={() => setState('waiting')} />;
  const search = new URLSearchParams({ ...(data?.code && { code: data.code }), ...(quote && { quote }) });
  const query = search.size === 0 ? '' : `?${search}`;
  const src = data && `${basePath}/api/core/essay/${id}/poster.png${query}`;
  return (
    <>
      <div className={styles.poster} data-state={state} aria-busy={state === 'waiting'}>
        {src === undefined ? null : (
          <img
            src={src}
            alt={`《${title}》的海报`}
            onLoad={() => setState('there')}
            // Phones save a picture after a long press.
            onContextMenu={recordShare}
            onError={() => setState('failed')}
          />
        )}
      </div>
      {state === 'waiting' ? <p role="status">正在画海报…</p> : <p className={styles.press}>长按图片保存</p>}
      {src === undefined || state === 'waiting' ? null : (
        <div className={styles.buttons}>
          <a
            className={buttonClass({ variant: 'primary' })}
            href={src}
            download={`${title}.png`}
            onClick={recordShare}
          >
            <Icon name="download" small />
            保存图片
          </a>
        </div>
      )}
    </>
  );
}

const panels = { link: LinkPanel, wechat: WechatPanel, weibo: WeiboPanel, poster: PosterPanel };

type ShareDialogProps = PanelProps & DialogOpenProps;

export function ShareDialog({ essay, open, onOpenChange }: ShareDialogProps) {
  const isSignedIn = useCurrentUser() !== null;
  const [channel, setChannel] = useState<Channel>('link');
  const Panel = panels[channel];
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="分享这篇文章"
      description={isSignedIn ? '带着你的分享码，朋友读了会记在你的分享里。' : undefined}
    >
      <Tabs id="share" label="分享到" tabs={tabs} selected={channel} onSelect={setChannel} />
      <div {...tabPanel('share', channel)} className={`stack gap-4 ink-2 text-center ${styles.panel}`}>
        <Panel key={channel} essay={essay} />
      </div>
    </Dialog>
  );
}
