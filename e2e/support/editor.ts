import { expect, type Page } from '@playwright/test';
import type { TestUser } from './users.ts';

export const textOf = (page: Page) => page.getByRole('textbox', { name: '正文，Markdown' });

export async function openEditor(page: Page, path = '/essay/create.html'): Promise<void> {
  await page.goto(path);
  await expect(textOf(page)).toBeVisible();
}

export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await textOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
}

export async function waitUntilSaved(page: Page): Promise<void> {
  await expect(page.locator('header [data-state]')).toHaveAttribute('data-state', 'saved');
  await expect(page).toHaveURL(/edit\.html\?id=[0-9a-f]{32}$/);
}

export const savedText = async (writer: TestUser, page: Page): Promise<string> =>
  (
    await writer.call('GET core/essay/{id}/source', {
      id: new URL(page.url()).searchParams.get('id') ?? '',
    })
  ).content;

/** Dispatches a paste event, because only a real clipboard of an office program contains its HTML. */
export const pasteHtml = (page: Page, html: string, plain: string, rtf = '') =>
  textOf(page).evaluate(
    (element, [html, plain, rtf]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', html);
      clipboardData.setData('text/plain', plain);
      if (rtf !== '') clipboardData.setData('text/rtf', rtf);
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }),
      );
    },
    [html, plain, rtf] as const,
  );
