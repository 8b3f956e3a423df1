import { EditorClosed } from '#web/features/essays/editor-closed.tsx';

export const title = '编辑文章';

export const Page = () => <EditorClosed title={title} />;
