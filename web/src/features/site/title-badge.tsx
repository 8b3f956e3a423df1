import { useEffect } from 'react';
import { useCall } from '#web/lib/queries.ts';

const MARK = /^\(\d+\+?\) /;

const markFor = (count: number) => (count === 0 ? '' : `(${count > 99 ? '99+' : count}) `);

/** Says in the title of the window how much waits to be read. Shows nothing in the page. */
export function TitleBadge() {
  const notices = useCall('GET core/user/notice/unread').data;
  const talks = useCall('GET core/essay/chat/unread').data;
  // Notices of messages are counted with the messages themselves.
  const told = notices === undefined ? 0 : notices.total - notices.kinds.message;
  const said = talks === undefined ? 0 : talks.letters + talks.chats + talks.rooms;
  const mark = markFor(told + said);

  useEffect(() => {
    function write(): void {
      // Between two pages there may be none; to write one would make a second.
      if (document.title === '') return;
      const title = mark + document.title.replace(MARK, '');
      if (document.title !== title) document.title = title;
    }
    write();
    // Every page brings its own title.
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(MARK, '');
    };
  }, [mark]);

  return null;
}
