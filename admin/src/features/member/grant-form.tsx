import type { Member } from '@mozhan/contract/members.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { useBatch } from '#admin/lib/batch.tsx';
import { formatDate } from '#admin/lib/format.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';

interface Values {
  userId: string | undefined;
  days: number;
  reason: string;
}

const userField: Field<Values> = {
  name: 'userId',
  kind: 'own',
  label: '给谁',
  rules: [{ required: true, message: '请选择用户' }],
  control: <UserFilter label="按昵称查找" />,
};

interface GrantFormProps {
  open: boolean;
  /** When empty, the form asks for the user. */
  members: readonly Member[];
  onClose: () => void;
  /** Called with the members whose grant failed. */
  onRemaining?: (left: Member[]) => void;
}

function titleOf([first, ...others]: readonly Member[]): string {
  if (first === undefined) return '赠送会员';
  return others.length === 0 ? `给「${first.displayName}」赠送会员` : `给 ${others.length + 1} 人赠送会员`;
}

export function GrantForm({ open, members, onClose, onRemaining }: GrantFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const batch = useBatch();

  async function submit({ userId, days, reason }: Values): Promise<void> {
    if (members.length > 1) {
      // `batch` reports failures after all members are processed.
      void batch({
        verb: '赠送',
        rows: members,
        nameOf: (member) => member.displayName,
        work: (api, { id }) => api('PUT core/member/user', { userId: id, days, reason }),
      }).then(onRemaining);
      return;
    }
    if (userId === undefined) return;
    const { displayName, memberUntil } = await api('PUT core/member/user', { userId, days, reason });
    message.success(`「${displayName}」的会员到 ${formatDate(memberUntil)}`);
    onRemaining?.([]);
  }

  return (
    <FormModal<Values>
      title={titleOf(members)}
      open={open}
      onClose={onClose}
      action="赠送"
      intro={<p>从现在或原来的到期时间起延长；赠送后不能收回。</p>}
      values={{ userId: members[0]?.id, days: 30, reason: '' }}
      fields={[
        members.length === 0 && userField,
        { name: 'days', kind: 'number', label: '天数', required: true, min: 1, max: 3660, suffix: '天' },
        {
          name: 'reason',
          kind: 'lines',
          label: '理由',
          required: true,
          maxLength: 200,
          help: '写在会员期的来历里，本人看得到',
        },
      ]}
      submit={submit}
    />
  );
}
