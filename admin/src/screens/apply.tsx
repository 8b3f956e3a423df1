import { APPLICATION_STATUS } from '@mozhan/contract/enums.ts';
import type { StaffApplication } from '@mozhan/contract/experts.ts';
import { ApplicationDetail } from '#admin/features/apply/detail.tsx';
import { ago, person, personName, tag, text, time } from '#admin/ui/columns.tsx';
import { dayFilters, pendingFilter } from '#admin/ui/filters.tsx';
import type { Labels } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { rowForm } from '#admin/ui/row-form.tsx';

const statuses: Labels<StaffApplication['status']> = {
  [APPLICATION_STATUS.waiting]: { label: '待处理', color: 'warning' },
  [APPLICATION_STATUS.approved]: { label: '已通过', color: 'success' },
  [APPLICATION_STATUS.refused]: { label: '未通过', color: 'error' },
};

const nameOf = ({ user }: StaffApplication): string => user?.displayName ?? '';
const isWaiting = ({ status }: StaffApplication): boolean => status === APPLICATION_STATUS.waiting;
const APPROVED = '申请人成为作者，可以写文章，并会收到通知。';

export const Page = () => (
  <ResourceScreen
    name="apply"
    title="专家申请"
    intro="读者申请成为作者；姓名与联系方式只用于核实，请勿外传"
    list={paged('GET core/sys/apply/')}
    nameOf={nameOf}
    columns={[
      person('user', '申请人'),
      text('realName', '姓名'),
      text('field', '擅长领域'),
      text('contact', '联系方式'),
      text('intro', '自我介绍', { hidden: true }),
      text('works', '代表作', { hidden: true }),
      tag('status', '状态', statuses),
      ago('createdAt', '申请时间', { sort: true }),
      text('reason', '理由', { hidden: true }),
      personName('decidedBy', '处理人', { hidden: true }),
      time('decidedAt', '处理时间', { hidden: true }),
    ]}
    keyword="昵称、账号或姓名的开头"
    filters={[pendingFilter(statuses, APPLICATION_STATUS.waiting), ...dayFilters]}
    expanded={(row) => <ApplicationDetail application={row} />}
    rowActions={[
      {
        label: '通过',
        permission: 'apply:update',
        when: isWaiting,
        ask: (row) => ({ title: `通过「${nameOf(row)}」的申请？`, text: APPROVED }),
        run: (api, { id }) => api('PUT core/sys/apply/', { id, status: APPLICATION_STATUS.approved }),
        done: (row) => `「${nameOf(row)}」已是作者`,
        bulk: { ask: (rows) => ({ title: `通过这 ${rows.length} 份申请？`, text: APPROVED }) },
      },
      {
        label: '不通过',
        permission: 'apply:update',
        when: isWaiting,
        danger: true,
        bulk: true,
        panel: rowForm({
          title: (row, { length }) => `不通过${length > 1 ? `这 ${length} 人` : `「${nameOf(row)}」`}的申请`,
          verb: '拒绝',
          values: { reason: '' },
          fields: [
            {
              name: 'reason',
              kind: 'lines',
              label: '理由',
              required: true,
              maxLength: 200,
              help: '申请人会收到这段话，可以补充后再次申请',
            },
          ],
          run: (api, { id }, { reason }) =>
            api('PUT core/sys/apply/', { id, status: APPLICATION_STATUS.refused, reason }),
          done: (row) => `已答复「${nameOf(row)}」`,
          codes: { REASON_REQUIRED: 'reason' },
        }),
      },
    ]}
  />
);
