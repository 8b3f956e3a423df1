import styles from './lightbox.module.css';

const MAX_SCALE = 2.5;
const MARGIN = 16;

/** A diagram is enlarged to the viewport, but never below its natural size: then it is scrolled. */
function enlargeDiagram(dialog: HTMLDialogElement, picture: HTMLImageElement, image: HTMLImageElement): void {
  const width = Number(image.getAttribute('width'));
  const height = Number(image.getAttribute('height'));
  const fit = Math.min((innerWidth - 2 * MARGIN) / width, (innerHeight - 2 * MARGIN) / height);
  dialog.classList.add(styles.scrolled ?? '');
  picture.style.width = `${Math.round(width * Math.min(MAX_SCALE, Math.max(1, fit)))}px`;
}

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
  if (image.closest('[data-diagram]') !== null) enlargeDiagram(dialog, picture, image);
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
