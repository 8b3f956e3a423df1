export { emitWebhook, toPublicUrl, type WebhookData } from './actions/emit.ts';
