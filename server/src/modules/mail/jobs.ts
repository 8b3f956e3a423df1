import { z } from 'zod';
import type { Jobs } from '../../jobs.ts';

const mail = z.object({ to: z.string(), subject: z.string(), text: z.string() });

export const jobs: Jobs = {
  'send-mail': async (ctx, payload) => {
    await ctx.services.mailer?.send(mail.parse(payload));
  },
};
