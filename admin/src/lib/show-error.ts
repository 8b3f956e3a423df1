import { describeError } from '@mozhan/client/error-display.ts';
import { App } from 'antd';
import { useApp } from './app-context.ts';
import { redirectIfSignedOut } from './session.ts';

/** Displays an error as a message, notification or error page, when the screen has no field or area for it. */
export function useShowError(): (error: unknown) => void {
  const { basePath } = useApp();
  const { message, notification } = App.useApp();
  return (error) => {
    if (redirectIfSignedOut(error, basePath)) return;
    const failure = describeError(error);
    if (failure.show === 'message') message[failure.tone === 'warn' ? 'warning' : 'error'](failure.text);
    if (failure.show === 'notice') notification.error({ title: failure.title, description: failure.text });
    if (failure.show === 'page') {
      const search = new URLSearchParams({ errorCode: failure.code, errorMessage: failure.message });
      location.assign(`${basePath}/exception?${search}`);
    }
  };
}
