import type { PublicUser } from '@mozhan/contract/users.ts';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { useBlock } from './use-block.ts';

function BlockItem({ user }: { user: PublicUser }) {
  const isSignedIn = useCurrentUser() !== null;
  const { block, unblock } = useBlock(user);
  const { blocked } = user.relation;
  const label = (
    <>
      <Icon name={blocked ? 'eye' : 'eyeOff'} small />
      {blocked ? '解除屏蔽' : '屏蔽'}
    </>
  );
  if (!isSignedIn) return <SignInLink>{label}</SignInLink>;
  return (
    <button type="button" onClick={() => void (blocked ? unblock() : block())}>
      {label}
    </button>
  );
}

export function PersonMenuItems({ id }: { id: string }) {
  const { data: user } = useCall('GET core/user/public', { id });
  return (
    <>
      {user === undefined ? null : (
        <li>
          <BlockItem user={user} />
        </li>
      )}
      <li>
        <ReportButton kind="user" targetId={id}>
          <Icon name="flag" small />
          举报
        </ReportButton>
      </li>
    </>
  );
}
