export { createOrder } from './actions/create.ts';
export { payOrder } from './actions/own.ts';
export { releaseOrders } from './actions/release.ts';
export { settlePayment } from './actions/settle.ts';
export { jobs, schedule } from './jobs.ts';
export { routes } from './routes.ts';
export { newNo } from './rules.ts';
export { servePaymentCallbacks } from './serve.ts';
