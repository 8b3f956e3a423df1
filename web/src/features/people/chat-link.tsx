import { useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';

/** Hidden while operators have switched chats off. */
export function ChatLink({ userId }: { userId: string }) {
  if (!useSite().switches.chats) return null;
  return (
    <Link
      className={buttonClass()}
      to="/account/center.html"
      search={{ tab: 'chat', user: userId }}
      rel="nofollow"
    >
      私聊
    </Link>
  );
}
