import { isAnimated } from '@mozhan/editor/animated-picture.ts';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { Choice } from './choice.tsx';
import styles from './crop-dialog.module.css';
import {
  type CropView,
  cropRect,
  initialView,
  MAX_ZOOM,
  rotatedSize,
  rotateView,
  settle,
} from './crop-geometry.ts';
import { drawRotated, renderCrop } from './crop-render.ts';
import { Dialog } from './dialog.tsx';
import type { DialogOpenProps } from './lazy-dialog.tsx';

export interface CropShape {
  label: string;
  /** Width by height; `original` is the shape of the picture, `free` any. */
  aspect: number | 'original' | 'free';
}

interface CropDialogProps extends DialogOpenProps {
  title: string;
  /** Says what the cut is for. */
  hint?: string | undefined;
  file: Blob;
  /** With several shapes the writer chooses one. */
  shapes: readonly CropShape[];
  /** Shows a circle in the frame. */
  round?: boolean;
  onDone: (file: File) => void;
  /** Offers to use the picture as it is. */
  onSkip?: (() => void) | undefined;
}

const STAGE = { width: 520, height: 360 };
const MARGIN = 20;
const KEY_STEP = 0.04;
const ZOOM_STEP = 1.15;
/** The slider for a free shape goes from 1:3 to 3:1. */
const MAX_FREE = 3;

const arrows: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Chooses a part of a picture by dragging, pinching, the wheel, keys or sliders. Import it on demand. */
export function CropDialog({
  open,
  onOpenChange,
  title,
  hint,
  file,
  shapes,
  round = false,
  onDone,
  onSkip,
}: CropDialogProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const [problem, setProblem] = useState('');
  const [isMoving, setMoving] = useState(false);
  const [shape, setShape] = useState(0);
  const [free, setFree] = useState(0);
  const [view, setView] = useState<CropView>({ rotation: 0, zoom: 1, x: 0, y: 0 });
  const [isBusy, setBusy] = useState(false);
  const pointers = useRef(new Map<number, { x: number; y: number }>());

  useEffect(() => {
    const url = URL.createObjectURL(file);
    const loaded = new Image();
    loaded.src = url;
    let isCurrent = true;
    loaded.decode().then(
      () => {
        if (!isCurrent) return;
        setImage(loaded);
        setView(initialView({ width: loaded.naturalWidth, height: loaded.naturalHeight }));
      },
      () => isCurrent && setProblem('这张图片打不开，请换一张'),
    );
    file.arrayBuffer().then(
      (bytes) => isCurrent && setMoving(isAnimated(new Uint8Array(bytes))),
      () => {},
    );
    return () => {
      isCurrent = false;
      URL.revokeObjectURL(url);
    };
  }, [file]);

  const picture = { width: image?.naturalWidth ?? 1, height: image?.naturalHeight ?? 1 };
  const turned = rotatedSize(picture, view.rotation);
  const given = shapes[shape]?.aspect ?? 'original';
  const aspect =
    given === 'original' ? turned.width / turned.height : given === 'free' ? MAX_FREE ** free : given;
  const rect = cropRect(picture, aspect, view);
  const frameWidth = Math.min(STAGE.width - 2 * MARGIN, (STAGE.height - 2 * MARGIN) * aspect);
  const scale = frameWidth / rect.width;
  const change = (changes: Partial<CropView>) => setView(settle(picture, aspect, { ...view, ...changes }));
  const zoomBy = (factor: number) => change({ zoom: view.zoom * factor });
  const moveBy = (x: number, y: number) =>
    change({ x: rect.x + rect.width / 2 + x, y: rect.y + rect.height / 2 + y });

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || image === null) return;
    const ratio = Math.min(2, devicePixelRatio);
    context.canvas.width = STAGE.width * ratio;
    context.canvas.height = STAGE.height * ratio;
    context.scale(ratio, ratio);
    const frameHeight = frameWidth / aspect;
    const left = (STAGE.width - frameWidth) / 2;
    const top = (STAGE.height - frameHeight) / 2;
    context.save();
    context.translate(left - rect.x * scale, top - rect.y * scale);
    context.scale(scale, scale);
    drawRotated(context, image, view.rotation);
    context.restore();
    context.fillStyle = 'rgb(0 0 0 / 55%)';
    context.beginPath();
    context.rect(0, 0, STAGE.width, STAGE.height);
    if (round) context.arc(left + frameWidth / 2, top + frameHeight / 2, frameWidth / 2, 0, 2 * Math.PI);
    else context.rect(left, top, frameWidth, frameHeight);
    context.fill('evenodd');
    context.strokeStyle = '#fff';
    context.lineWidth = 1.5;
    context.strokeRect(left, top, frameWidth, frameHeight);
  }, [image, view, aspect, frameWidth, rect.x, rect.y, scale, round]);

  // React listens passively, and the page must not scroll instead.
  const latestZoom = useRef(zoomBy);
  latestZoom.current = zoomBy;
  useEffect(() => {
    const element = canvas.current;
    if (element === null || image === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      latestZoom.current(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [image]);

  /** One pointer moves the picture, two also enlarge it by their distance. */
  function onPointerMove(event: PointerEvent<HTMLCanvasElement>): void {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const [other] = [...pointers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
    pointers.current.set(event.pointerId, now);
    const shown = event.currentTarget.getBoundingClientRect().width / STAGE.width;
    const perPixel = 1 / (scale * shown * (other === undefined ? 1 : 2));
    const distance = (point: { x: number; y: number }) =>
      other === undefined ? 1 : Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    change({
      zoom: view.zoom * (distance(now) / distance(before)),
      x: rect.x + rect.width / 2 - (now.x - before.x) * perPixel,
      y: rect.y + rect.height / 2 - (now.y - before.y) * perPixel,
    });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const [x, y] = arrows[event.key] ?? [0, 0];
    if (x !== 0 || y !== 0) moveBy(x * KEY_STEP * rect.width, y * KEY_STEP * rect.width);
    else if (event.key === '+' || event.key === '=') zoomBy(ZOOM_STEP);
    else if (event.key === '-') zoomBy(1 / ZOOM_STEP);
    else return;
    event.preventDefault();
  }

  async function finish(): Promise<void> {
    if (image === null) return;
    setBusy(true);
    try {
      onDone(await renderCrop(image, { rect, rotation: view.rotation, type: file.type }));
      onOpenChange(false);
    } catch {
      setProblem('没能裁剪，请换一张小一些的图片');
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={hint}
      initialFocus={canvas}
      footer={
        <>
          {onSkip === undefined ? null : (
            <Button
              variant="ghost"
              onClick={() => {
                onSkip();
                onOpenChange(false);
              }}
            >
              不裁剪，用原图
            </Button>
          )}
          <Button onClick={() => onOpenChange(false)}>取消</Button>
          <Button variant="primary" busy={isBusy} disabled={image === null} onClick={() => void finish()}>
            裁剪
          </Button>
        </>
      }
    >
      <div className="stack gap-3">
        {problem === '' ? null : <Alert tone="bad">{problem}</Alert>}
        {isMoving ? <Alert tone="warn">这是一张动图，上传后只保留第一帧，不再会动。</Alert> : null}
        <canvas
          ref={canvas}
          className={styles.stage}
          width={STAGE.width}
          height={STAGE.height}
          tabIndex={0}
          role="img"
          aria-label="裁剪范围：方向键移动，加号和减号缩放"
          onKeyDown={onKeyDown}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
          }}
          onPointerMove={onPointerMove}
          onPointerUp={({ pointerId }) => pointers.current.delete(pointerId)}
          onPointerCancel={({ pointerId }) => pointers.current.delete(pointerId)}
        />
        {shapes.length > 1 ? (
          <div className="flex wraps gap-2" role="radiogroup" aria-label="形状">
            {shapes.map(({ label }, index) => (
              <Choice
                key={label}
                type="radio"
                variant="chip"
                name="crop-shape"
                checked={shape === index}
                onChange={() => setShape(index)}
              >
                {label}
              </Choice>
            ))}
          </div>
        ) : null}
        {given === 'free' ? (
          <label className={styles.slider}>
            <span>宽高</span>
            <input
              type="range"
              min={-1}
              max={1}
              step={0.02}
              value={free}
              onChange={({ target }) => setFree(Number(target.value))}
            />
          </label>
        ) : null}
        <div className={styles.controls}>
          <label className={styles.slider}>
            <span>缩放</span>
            <input
              type="range"
              min={1}
              max={MAX_ZOOM}
              step={0.01}
              value={view.zoom}
              disabled={image === null}
              onChange={({ target }) => change({ zoom: Number(target.value) })}
            />
          </label>
          <Button
            size="small"
            disabled={image === null}
            onClick={() => setView(settle(picture, aspect, rotateView(picture, view)))}
          >
            旋转 90°
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
