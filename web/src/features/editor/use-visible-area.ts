import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect } from 'react';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { isKeyboardOpen } from './visible-area.ts';

const RESIZES_CONTENT = ', interactive-widget=resizes-content';

/** Chrome on Android then lays out the page above the keyboard by itself. Returns a function that restores the page's setting. */
function resizeContentWithKeyboard(): () => void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="viewport"]');
  if (meta === null) return () => {};
  const before = meta.content;
  meta.content = before + RESIZES_CONTENT;
  return () => {
    meta.content = before;
  };
}

/**
 * Keeps the editor inside the part of the screen that an on-screen keyboard leaves free, with the toolbar above the
 * keyboard and the cursor in view. Other browsers than Chrome move the page under the keyboard instead.
 */
export function useVisibleArea(box: RefObject<HTMLElement | null>, editor: EditorModel): void {
  useEffect(() => {
    const area = window.visualViewport;
    const element = box.current;
    if (area === null || element === null || !matchMedia('(pointer: coarse)').matches) return;
    const restore = resizeContentWithKeyboard();
    /** The greatest height at each width: without the keyboard. */
    const tallest = new Map<number, number>();
    let shownHeight = area.height;

    function update(): void {
      if (area === null || element === null) return;
      const { width, height, offsetTop, scale } = area;
      const full = Math.max(tallest.get(Math.round(width)) ?? 0, height, scale === 1 ? innerHeight : 0);
      if (scale === 1) tallest.set(Math.round(width), full);
      const isOpen = isKeyboardOpen({ height, full, scale });
      element.toggleAttribute('data-keyboard', isOpen);
      if (isOpen) {
        element.style.setProperty('--visible-height', `${height}px`);
        element.style.setProperty('--visible-top', `${offsetTop}px`);
      } else if (scrollY > 0) scrollTo({ top: 0, behavior: 'instant' });
      if (height === shownHeight) return;
      shownHeight = height;
      const view = editor.view.get();
      if (view?.hasFocus)
        view.dispatch({
          effects: EditorView.scrollIntoView(view.state.selection.main.head, { yMargin: 32 }),
        });
    }

    const stop = new AbortController();
    area.addEventListener('resize', update, { signal: stop.signal });
    area.addEventListener('scroll', update, { signal: stop.signal });
    update();
    return () => {
      stop.abort();
      restore();
    };
  }, [box, editor]);
}
