import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Input } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateCachedMe } from '#web/features/account/me.ts';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery, useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import { SwitchField } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './settings.module.css';

interface SwitchLabels {
  label: string;
  description: string;
}

const noticeSwitches: Record<keyof CurrentUser['notify'], SwitchLabels> = {
  comment: { label: '评论', description: '有人评论了你的文章。' },
  reply: { label: '回复', description: '有人回复了你的评论。' },
  mention: { label: '提到我', description: '有人在评论里 @ 了你。' },
  like: { label: '点赞', description: '有人赞了你的文章或评论。' },
  collect: { label: '收藏', description: '有人收藏了你的文章。' },
  follow: { label: '关注', description: '有人开始关注你。' },
  column: { label: '专栏', description: '你关注的专栏有了新文章。' },
  reward: { label: '打赏', description: '有人打赏了你的文章，或回复了你的打赏。' },
  purchase: { label: '购买', description: '有人购买了你的文章。' },
  audit: { label: '审核', description: '你的文章或申请有了审核结果。' },
  message: { label: '消息', description: '有人给你写私信、发私聊，或在群聊里回复了你。' },
  system: { label: '系统', description: '新设备登录、退款、举报结果等提醒。' },
};

const privacySwitches: Record<keyof CurrentUser['privacy'], SwitchLabels> = {
  trend: {
    label: '公开动态',
    description: '别人能在你的主页看到你最近做了什么；阅读、搜索、私信和聊天从不公开。',
  },
  collect: { label: '公开收藏', description: '别人能看到你收藏了哪些文章。' },
  like: { label: '公开点赞', description: '别人能看到你赞过哪些文章。' },
  share: { label: '公开分享', description: '别人能看到你分享过哪些文章。' },
  follow: { label: '公开关注', description: '别人能看到你关注了谁、谁关注了你。' },
};

const digestLabels = {
  label: '每日邮件汇总',
  description: '每天一封邮件，列出还没有读的通知；没有新的就不发。',
};

const groups = { notify: noticeSwitches, privacy: privacySwitches };
type Group = keyof typeof groups;

interface Setting {
  label: string;
  /** The input of the call that changes the setting. */
  input: (on: boolean) => Input<'PUT core/user/'>;
  withSetting: (me: CurrentUser, on: boolean) => CurrentUser;
}

/** Updates optimistically; on failure reverts and shows a message. */
function useSwitch({ label, input, withSetting }: Setting) {
  const api = useApi();
  const queryClient = useQueryClient();
  const applySetting = (on: boolean) => updateCachedMe(queryClient, api, (me) => withSetting(me, on));
  return useMutation({
    // Calls run one after the other, so that the last choice wins, and also when the browser believes to be
    // offline.
    scope: { id: 'switches' },
    networkMode: 'always',
    mutationFn: (on: boolean) => api('PUT core/user/', input(on)),
    async onMutate(on) {
      await queryClient.cancelQueries({ queryKey: callQuery(api, 'GET core/user/').queryKey });
      applySetting(on);
    },
    onError(error, on) {
      applySetting(!on);
      toast(`「${label}」没能修改：${errorMessageOf(error)}`, 'bad');
    },
  });
}

interface SwitchProps {
  name: string;
  labels: SwitchLabels;
  checked: boolean;
  setting: Omit<Setting, 'label'>;
}

function Switch({ name, labels, checked, setting }: SwitchProps) {
  const { mutate } = useSwitch({ label: labels.label, ...setting });
  return (
    <SwitchField
      name={name}
      {...labels}
      checked={checked}
      onChange={(event) => mutate(event.currentTarget.checked)}
    />
  );
}

export function Switches({ group, me }: { group: Group; me: CurrentUser }) {
  const labels: Record<string, SwitchLabels> = groups[group];
  const states: Record<string, boolean> = me[group];
  return (
    <div className={styles.switches}>
      {Object.entries(labels).map(([kind, each]) => (
        <Switch
          key={kind}
          name={kind}
          labels={each}
          checked={states[kind] ?? true}
          setting={{
            input: (on) => ({ [group]: { [kind]: on } }),
            withSetting: (me, on) => ({ ...me, [group]: { ...me[group], [kind]: on } }),
          }}
        />
      ))}
    </div>
  );
}

/** Only when the site can send mail and the user has an e-mail address. */
export function DigestSwitch({ me }: { me: CurrentUser }) {
  const { features } = useSite();
  if (!features.mail) return null;
  return (
    <section className={styles.part} aria-labelledby="digest">
      <h3 id="digest">邮件</h3>
      {me.email === null ? (
        <p className={styles.none}>
          绑定邮箱以后，可以每天收到一封未读通知的汇总。
          <Link className="link" to="/account/settings.html" search={{ tab: 'security' }}>
            去绑定
          </Link>
        </p>
      ) : (
        <div className={styles.switches}>
          {me.emailBounce === null ? null : (
            <p className={styles.none}>
              发往 {me.email} 的邮件被退回了，所以暂停了汇总。
              <Link className="link" to="/account/settings.html" search={{ tab: 'security' }}>
                重新验证邮箱
              </Link>
            </p>
          )}
          <Switch
            name="digest"
            labels={digestLabels}
            checked={me.digest}
            setting={{ input: (on) => ({ digest: on }), withSetting: (me, on) => ({ ...me, digest: on }) }}
          />
        </div>
      )}
    </section>
  );
}
