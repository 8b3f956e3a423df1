import { type ToolShape, toolShapes } from '@mozhan/editor/tool-shapes.ts';
import { Shape } from '#web/ui/icon.tsx';

export const ToolIcon = ({ name }: { name: ToolShape }) => <Shape path={toolShapes[name]} />;
