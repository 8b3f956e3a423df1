import * as calls from '@mozhan/contract/checklist.ts';
import { bind, bindDone } from '../../../http/route.ts';
import { defineModule } from '../../../module.ts';
import { getChecklist, updateChecklist } from './actions.ts';

/** The permissions are declared at the dashboard, which displays the list (`admin/stats`). */
export const checklist = defineModule({
  routes: [bind(calls.getChecklist, getChecklist), bindDone(calls.updateChecklist, updateChecklist)],
});
