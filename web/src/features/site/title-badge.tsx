import { useEffect } from 'react';
import { useCall } from '#web/lib/queries.ts';

const MARK = /^\(\d+\+?\) /;

const formatMark = (count: number) => (count === 0 ? '' : `(${count > 99 ? '99+' : count}) `);

/** Shows the number of unread notices and messages in the title of the window. */
export function TitleBadge() {
  const notices = useCall('GET core/user/notice/unread').data;
  const messages = useCall('GET core/essay/chat/unread').data;
  // Notices of messages are counted with the messages themselves.
  const noticeCount = notices === undefined ? 0 : notices.total - notices.kinds.message;
  const messageCount = messages === undefined ? 0 : messages.letters + messages.chats + messages.rooms;
  const mark = formatMark(noticeCount + messageCount);

  useEffect(() => {
    function updateTitle(): void {
      // Between two pages there may be no title element; setting one would create a second.
      if (document.title === '') return;
      const title = mark + document.title.replace(MARK, '');
      if (document.title !== title) document.title = title;
    }
    updateTitle();
    const observer = new MutationObserver(updateTitle);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(MARK, '');
    };
  }, [mark]);

  return null;
}
