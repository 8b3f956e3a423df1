import { messageOf } from '@mozhan/client/errors.ts';
import type { Input } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeMe } from '#web/features/account/me.ts';
import { useApi } from '#web/lib/app-context.ts';
import { call, useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import { SwitchField } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './settings.module.css';

interface Words {
  label: string;
  description: string;
}

const notify: Record<keyof CurrentUser['notify'], Words> = {
  comment: { label: '评论', description: '有人评论了你的文章。' },
  reply: { label: '回复', description: '有人回复了你的评论。' },
  mention: { label: '提到我', description: '有人在评论里 @ 了你。' },
  like: { label: '点赞', description: '有人赞了你的文章或评论。' },
  collect: { label: '收藏', description: '有人收藏了你的文章。' },
  follow: { label: '关注', description: '有人开始关注你。' },
  reward: { label: '打赏', description: '有人打赏了你的文章，或回复了你的打赏。' },
  purchase: { label: '购买', description: '有人购买了你的文章。' },
  audit: { label: '审核', description: '你的文章或申请有了审核结果。' },
  message: { label: '消息', description: '有人给你写私信、发私聊，或在群聊里回复了你。' },
  system: { label: '系统', description: '新设备登录、站点公告这一类的消息。' },
};

const privacy: Record<keyof CurrentUser['privacy'], Words> = {
  trend: {
    label: '公开动态',
    description: '别人能在你的主页看到你最近做了什么；阅读、搜索、私信和聊天从不公开。',
  },
  collect: { label: '公开收藏', description: '别人能看到你收藏了哪些文章。' },
  like: { label: '公开点赞', description: '别人能看到你赞过哪些文章。' },
  share: { label: '公开分享', description: '别人能看到你分享过哪些文章。' },
  follow: { label: '公开关注', description: '别人能看到你关注了谁、谁关注了你。' },
};

const digest = { label: '每日邮件汇总', description: '每天一封邮件，列出还没有读的通知；没有新的就不发。' };

const groups = { notify, privacy };
type Group = keyof typeof groups;

interface Setting {
  label: string;
  /** What is sent to turn it. */
  input: (on: boolean) => Input<'PUT core/user/'>;
  /** The reader with it turned. */
  turned: (me: CurrentUser, on: boolean) => CurrentUser;
}

/** Shown at once; taken back with a sentence when the server did not take it. */
function useSwitch({ label, input, turned }: Setting) {
  const api = useApi();
  const queryClient = useQueryClient();
  const show = (on: boolean) => changeMe(queryClient, api, (me) => turned(me, on));
  return useMutation({
    // One after the other, so that the last choice is the last to arrive; and tried even when the browser thinks it is offline.
    scope: { id: 'switches' },
    networkMode: 'always',
    mutationFn: (on: boolean) => api('PUT core/user/', input(on)),
    async onMutate(on) {
      await queryClient.cancelQueries({ queryKey: call(api, 'GET core/user/').queryKey });
      show(on);
    },
    onError(error, on) {
      show(!on);
      toast(`「${label}」没有改成：${messageOf(error)}`, 'bad');
    },
  });
}

interface SwitchProps {
  name: string;
  words: Words;
  checked: boolean;
  setting: Omit<Setting, 'label'>;
}

function Switch({ name, words, checked, setting }: SwitchProps) {
  const { mutate } = useSwitch({ label: words.label, ...setting });
  return (
    <SwitchField
      name={name}
      {...words}
      checked={checked}
      onChange={(event) => mutate(event.currentTarget.checked)}
    />
  );
}

export function Switches({ group, me }: { group: Group; me: CurrentUser }) {
  const words: Record<string, Words> = groups[group];
  const states: Record<string, boolean> = me[group];
  return (
    <div className={styles.switches}>
      {Object.entries(words).map(([kind, each]) => (
        <Switch
          key={kind}
          name={kind}
          words={each}
          checked={states[kind] ?? true}
          setting={{
            input: (on) => ({ [group]: { [kind]: on } }),
            turned: (me, on) => ({ ...me, [group]: { ...me[group], [kind]: on } }),
          }}
        />
      ))}
    </div>
  );
}

/** Only where the site can send mail, and to whom it may. */
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
          <Switch
            name="digest"
            words={digest}
            checked={me.digest}
            setting={{ input: (on) => ({ digest: on }), turned: (me, on) => ({ ...me, digest: on }) }}
          />
        </div>
      )}
    </section>
  );
}
