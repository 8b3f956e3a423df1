import type { TableChange } from './table-text.ts';

/** SVG paths on a grid of 24 by 24. */
export const tableIconPaths: Record<Exclude<TableChange, 'format'>, string> = {
  addRowAbove: 'M4 13.5h16V20H4zM12 3v6.5M8.7 6.2h6.6',
  addRow: 'M4 4h16v6.5H4zM12 14.5V21M8.7 17.8h6.6',
  moveRowUp: 'M12 19.5v-14M6.5 11 12 5.5l5.5 5.5',
  moveRowDown: 'M12 4.5v14M6.5 13l5.5 5.5 5.5-5.5',
  removeRow: 'M4 4h16v6.5H4zM9.5 15.2l5 5M14.5 15.2l-5 5',
  addColumnBefore: 'M13.5 4H20v16h-6.5zM3 12h6.5M6.2 8.7v6.6',
  addColumn: 'M4 4h6.5v16H4zM14.5 12H21M17.8 8.7v6.6',
  moveColumnLeft: 'M19.5 12h-14M11 6.5 5.5 12l5.5 5.5',
  moveColumnRight: 'M4.5 12h14M13 6.5l5.5 5.5-5.5 5.5',
  removeColumn: 'M4 4h6.5v16H4zM15.2 9.5l5 5M20.2 9.5l-5 5',
  alignLeft: 'M4 6h16M4 12h10M4 18h13',
  alignCenter: 'M4 6h16M7 12h10M5.5 18h13',
  alignRight: 'M4 6h16M10 12h10M7 18h13',
};
