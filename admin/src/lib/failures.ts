import { describeFailure } from '@mozhan/client/failures.ts';
import { App } from 'antd';
import { useApp } from './app-context.ts';
import { leaveIfSignedOut } from './session.ts';

/** Shows an error that has no place of its own on the screen. */
export function useFailures(): (error: unknown) => void {
  const { basePath } = useApp();
  const { message, notification } = App.useApp();
  return (error) => {
    if (leaveIfSignedOut(error, basePath)) return;
    const shown = describeFailure(error);
    if (shown.show === 'message') message[shown.tone === 'warn' ? 'warning' : 'error'](shown.text);
    if (shown.show === 'notice') notification.error({ title: shown.title, description: shown.text });
    if (shown.show === 'page') {
      const search = new URLSearchParams({ errorCode: shown.code, errorMessage: shown.message });
      location.assign(`${basePath}/exception?${search}`);
    }
  };
}
