import { Shape } from '#web/ui/icon.tsx';
import { type ToolShape, toolShapes } from './source/tool-shapes.ts';

export const ToolIcon = ({ name }: { name: ToolShape }) => <Shape path={toolShapes[name]} />;
