import styles from './lightbox.module.css';

/** Shows the picture as large as possible; a click or Escape closes it. */
export function openLightbox(image: HTMLImageElement): void {
  const original = image.dataset.zoom || image.currentSrc || image.src;
  const dialog = document.createElement('dialog');
  if (typeof dialog.showModal !== 'function') {
    open(original, '_blank', 'noopener');
    return;
  }
  dialog.className = styles.dialog ?? '';
  dialog.setAttribute('aria-label', image.alt || '图片');
  const picture = Object.assign(document.createElement('img'), { src: original, alt: image.alt });
  const close = Object.assign(document.createElement('button'), { type: 'button', textContent: '关闭' });
  close.className = styles.close ?? '';
  dialog.append(picture, close);
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    image.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
}
