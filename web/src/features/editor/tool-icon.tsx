import { type ToolIconName, toolIconPaths } from '@mozhan/editor/tool-icons.ts';
import { IconSvg } from '#web/ui/icon.tsx';

export const ToolIcon = ({ name }: { name: ToolIconName }) => <IconSvg path={toolIconPaths[name]} />;
