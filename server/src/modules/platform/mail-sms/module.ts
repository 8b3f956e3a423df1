import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { serveMailPreview } from './preview.ts';
import { routes } from './routes.ts';
import { testMailContent } from './test-mail.ts';

export const mailSms = defineModule({
  routes,
  serve: serveMailPreview,
  jobs,
  schedule,
  mailSamples: { test: () => testMailContent },
  menu: [
    {
      group: 'system',
      position: 6,
      path: '/mail',
      name: '邮件',
      icon: 'mail',
      permission: 'mail:list',
      roles: [],
      actions: [{ permission: 'mail:update', name: '测试与重发邮件', roles: [] }],
    },
  ],
});
