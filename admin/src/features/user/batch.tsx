import { FLAG, type Flag, IDENTITY } from '@mozhan/contract/enums.ts';
import type { StaffUser } from '@mozhan/contract/system.ts';
import { Button } from 'antd';
import { useBatch } from '#admin/lib/batch.tsx';
import { useConfirm } from '#admin/ui/confirm.ts';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { type Identity, identities, identityEffects } from './words.tsx';

interface UserBatchProps {
  rows: StaffUser[];
  choose: (left?: StaffUser[]) => void;
}

/** What can be done with several people; each that it would not change is left out. */
export function UserBatch({ rows, choose }: UserBatchProps) {
  const confirm = useConfirm();
  const batch = useBatch();
  const nameOf = (row: StaffUser) => row.displayName;

  async function setEnabled(changing: StaffUser[], enabled: Flag): Promise<void> {
    const question = {
      title: `停用这 ${changing.length} 位用户？`,
      text: '停用后不能登录，现有的登录立即失效。',
      action: '停用',
      danger: true,
    };
    if (enabled === FLAG.off && !(await confirm(question))) return;
    choose(
      await batch({
        verb: enabledText(enabled),
        rows: changing,
        nameOf,
        work: (api, { id }) => api('PUT core/sys/user/', { id, enabled }),
      }),
    );
  }

  async function setIdentity(changing: StaffUser[], curIdentity: Identity): Promise<void> {
    const title = `把这 ${changing.length} 位用户设为${identities[curIdentity]}？`;
    if (!(await confirm({ title, text: identityEffects[curIdentity] }))) return;
    choose(
      await batch({
        verb: `设为${identities[curIdentity]}`,
        rows: changing,
        nameOf,
        work: (api, { id }) => api('PUT core/sys/user/', { id, curIdentity }),
      }),
    );
  }

  const acts = [
    ...([IDENTITY.writer, IDENTITY.reader] as const).map((identity) => ({
      label: `设为${identities[identity]}`,
      danger: false,
      changing: rows.filter((row) => row.curIdentity !== identity),
      run: (changing: StaffUser[]) => setIdentity(changing, identity),
    })),
    ...([FLAG.on, FLAG.off] as const).map((enabled) => ({
      label: enabledText(enabled),
      danger: enabled === FLAG.off,
      changing: rows.filter((row) => row.enabled !== enabled),
      run: (changing: StaffUser[]) => setEnabled(changing, enabled),
    })),
  ];
  return acts
    .filter(({ changing }) => changing.length > 0)
    .map(({ label, danger, changing, run }) => (
      <Button key={label} size="small" danger={danger} onClick={() => void run(changing)}>
        {label}
      </Button>
    ));
}
