import type { Ctx } from '../../../../ctx.ts';
import { newWebhookSecret, placeOf } from '../../../../secrets/secrets.ts';
import type { EndpointRow } from '../tables.ts';

/** A new one, encrypted for the row of an endpoint. */
export const makeSecret = ({ services }: Ctx, id: string): string =>
  services.encryption.encrypt(placeOf.webhook(id), newWebhookSecret());

export const readSecret = ({ services }: Ctx, { id, secret }: EndpointRow): string =>
  services.encryption.decrypt(placeOf.webhook(id), secret);
