export interface ToolWidths {
  /** Of a tool with its gap. */
  tool: number;
  /** Of the divider before a group, with its gaps. */
  divider: number;
}

/** How many tools fit into the width. If not all do, there is room for the button that shows the others. */
export function countFitting(
  tools: readonly { startsGroup?: boolean }[],
  available: number,
  { tool, divider }: ToolWidths,
): number {
  const ends: number[] = [];
  let end = 0;
  for (const [index, { startsGroup }] of tools.entries()) {
    end += tool + (startsGroup && index > 0 ? divider : 0);
    ends.push(end);
  }
  if (end <= available) return tools.length;
  return ends.filter((each) => each + tool <= available).length;
}
