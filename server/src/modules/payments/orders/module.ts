import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes as ordersRoutes } from './routes/orders.ts';
import { routes as rewardsRoutes } from './routes/rewards.ts';
import { servePaymentCallbacks } from './serve.ts';

export const orders = defineModule({
  routes: [...ordersRoutes, ...rewardsRoutes],
  serve: servePaymentCallbacks,
  jobs,
  schedule,
  menu: [
    {
      group: 'money',
      position: 0,
      path: '/order',
      name: '订单',
      icon: 'order',
      permission: 'order:list',
      roles: ['operator', 'finance'],
      actions: [{ permission: 'order:refund', name: '退款', roles: ['finance'] }],
    },
  ],
});
