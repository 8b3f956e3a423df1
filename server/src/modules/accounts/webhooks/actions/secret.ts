import type { Ctx } from '../../../../ctx.ts';
import { newWebhookSecret, secretContextOf } from '../../../../secrets/secrets.ts';
import type { EndpointRow } from '../tables.ts';

export const createSecret = ({ services }: Ctx, id: string): string =>
  services.encryption.encrypt(secretContextOf.webhook(id), newWebhookSecret());

export const readSecret = ({ services }: Ctx, { id, secret }: EndpointRow): string =>
  services.encryption.decrypt(secretContextOf.webhook(id), secret);
