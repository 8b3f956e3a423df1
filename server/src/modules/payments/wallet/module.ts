import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes as financeRoutes } from './routes/finance.ts';
import { routes as ledgerRoutes } from './routes/ledger.ts';
import { routes as walletRoutes } from './routes/wallet.ts';

export const wallet = defineModule({
  routes: [...walletRoutes, ...ledgerRoutes, ...financeRoutes],
  jobs,
  schedule,
  menu: [
    {
      group: 'money',
      position: 1,
      path: '/withdraw',
      name: '提现',
      icon: 'bank',
      permission: 'withdraw:list',
      roles: ['finance'],
      actions: [{ permission: 'withdraw:update', name: '审批提现', roles: ['finance'] }],
    },
    {
      group: 'money',
      position: 2,
      path: '/ledger',
      name: '账本',
      icon: 'ledger',
      permission: 'ledger:list',
      roles: ['finance'],
    },
    {
      group: 'money',
      position: 3,
      path: '/finance',
      name: '对账与收入',
      icon: 'chart',
      permission: 'finance:list',
      roles: ['finance'],
      actions: [{ permission: 'finance:update', name: '重新对账', roles: ['finance'] }],
    },
  ],
});
