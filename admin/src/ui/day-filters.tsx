import { DayInput } from './day-input.tsx';
import type { Filter } from './table-tools.tsx';

/** From one day to another, both included. */
export const dayFilters: Filter[] = [
  {
    name: 'from',
    label: '从哪天',
    render: (control) => <DayInput label="从哪天" prefix="从" {...control} />,
  },
  { name: 'to', label: '到哪天', render: (control) => <DayInput label="到哪天" prefix="到" {...control} /> },
];
