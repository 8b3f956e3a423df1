import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes as financeRoutes } from './routes/finance.ts';
import { routes as ledgerRoutes } from './routes/ledger.ts';
import { routes as walletRoutes } from './routes/wallet.ts';

export const wallet = defineModule({
  routes: [...walletRoutes, ...ledgerRoutes, ...financeRoutes],
  jobs,
  schedule,
});
