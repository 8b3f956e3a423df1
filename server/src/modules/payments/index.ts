export { createProviders } from './create.ts';
export type {
  Payer,
  Payment,
  Provider,
  ProviderName,
  Providers,
  StatementLine,
} from './provider.ts';
export {
  approveSandboxBill,
  declineSandboxBill,
  findSandboxBill,
  isCashierKey,
  makeSandboxCallback,
  removeSandboxBills,
} from './sandbox.ts';
