import { Button } from '#web/ui/button.tsx';
import { ToolIcon } from './tool-icon.tsx';

interface PictureSourceProps {
  onCamera: () => void;
  onAlbum: () => void;
}

/** On a phone: where the picture comes from. */
export const PictureSource = ({ onCamera, onAlbum }: PictureSourceProps) => (
  <div className="stack gap-1">
    <Button variant="ghost" onClick={onCamera}>
      <ToolIcon name="camera" />
      拍照
    </Button>
    <Button variant="ghost" onClick={onAlbum}>
      <ToolIcon name="image" />
      从相册选择
    </Button>
  </div>
);
