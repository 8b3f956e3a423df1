import { useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Choice } from '#web/ui/choice.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { EmojiPicker } from '#web/ui/emoji-picker.tsx';
import { ExportButton } from '#web/ui/export-button.tsx';
import {
  ChoiceGroup,
  Field,
  FieldError,
  FieldHead,
  PasswordField,
  SelectField,
  SwitchField,
  TextArea,
} from '#web/ui/field.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { ImageUpload } from '#web/ui/image-upload.tsx';
import { RemovableChip } from '#web/ui/removable-chip.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { AutoGrowTextArea, Input, Select } from '#web/ui/text-box.tsx';
import { ThemeIcon } from '#web/ui/theme-icon.tsx';
import { toast } from '#web/ui/toast.tsx';
import { WebAddressField } from '#web/ui/web-address-field.tsx';
import { ComponentSection, Example, Group } from './example.tsx';
import { LONG_TEXT, PICTURE, PICTURE_SOURCE } from './samples.ts';

const options = [
  { value: 'program', label: '编程' },
  { value: 'tech', label: '技术' },
  { value: 'app', label: '应用' },
];

const never = () => new Promise<never>(() => {});

/** Ref callback that clicks the first button once. */
const pressed = (box: HTMLDivElement | null) => {
  box?.querySelector('button')?.click();
};

/** Ref callback that drops a file on the first child once. */
const dropped = (name: string) => (box: HTMLDivElement | null) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([PICTURE_SOURCE], name, { type: 'image/svg+xml' }));
  box?.firstElementChild?.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
};
const dropPicture = dropped('picture.png');
const dropPaper = dropped('paper.pdf');

const Buttons = () => (
  <ComponentSection files="button" text="一处最多一个主要按钮；忙的时候留在原处，什么也不做。">
    {(['outline', 'primary', 'ghost', 'danger'] as const).map((look) => (
      <Example key={look} state={look} focus>
        <div className="row wraps gap-2">
          <Button variant={look} size="small">
            小
          </Button>
          <Button variant={look}>按钮</Button>
          <Button variant={look} size="large">
            大按钮
          </Button>
        </div>
      </Example>
    ))}
    <Example state="只有图标">
      <div className="row gap-2">
        <Button square aria-label="分享">
          <Icon name="share" />
        </Button>
        <Button square variant="ghost" size="small" aria-label="搜索">
          <Icon name="search" />
        </Button>
      </div>
    </Example>
    <Example state="忙">
      <Button variant="primary" busy>
        正在保存…
      </Button>
    </Example>
    <Example state="不可用">
      <Button disabled>不可用</Button>
    </Example>
    <Example state="占满一行">
      <Button block>
        <Icon name="refresh" small />
        再试一次
      </Button>
    </Example>
  </ComponentSection>
);

const TextBoxes = () => (
  <ComponentSection files="text-box" text="没有标签的输入框，给自己有框的地方用。">
    <Example state="平常" focus>
      <Input aria-label="单行" defaultValue="一行文字" />
    </Example>
    <Example state="空">
      <Input aria-label="空的单行" placeholder="在这里输入" />
    </Example>
    <Example state="有错">
      <Input aria-label="有错的单行" aria-invalid defaultValue="不是网址" />
    </Example>
    <Example state="不可用">
      <Input aria-label="不可用的单行" disabled defaultValue="改不了" />
    </Example>
    <Example state="选择">
      <Select aria-label="分类" defaultValue="tech">
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Example>
    <Example state="随文字长高">
      <AutoGrowTextArea aria-label="多行" text={LONG_TEXT} defaultValue={LONG_TEXT} />
    </Example>
  </ComponentSection>
);

function Fields() {
  const [category, setCategory] = useState('tech');
  const [keyword, setKeyword] = useState('');
  return (
    <ComponentSection
      files="field web-address-field copy-field search-field"
      text="标签、提示与错误跟着输入框，一起读给读屏软件。"
    >
      <Example state="平常" focus>
        <Field name="title" label="标题" defaultValue="一次雪崩之后" hint="最多 60 个字。" />
      </Example>
      <Example state="有错">
        <Field name="homepage" label="主页" defaultValue="不是网址" error="应是以 https:// 开头的网址" />
      </Example>
      <Example state="不可用">
        <Field name="account" label="账号" defaultValue="linyan" disabled />
      </Example>
      <Example state="长的标签与提示">
        <Field name="long" label={LONG_TEXT} hint={LONG_TEXT} />
      </Example>
      <Example state="网址，离开时补全">
        <WebAddressField name="site" label="个人网站" defaultValue="example.com" />
      </Example>
      <Example state="可以复制">
        <CopyField label="邀请链接" value="https://example.com/login.html?invite=7K2M" />
      </Example>
      <Example state="在列表里搜索">
        <SearchField label="搜索收藏" placeholder="标题、作者或正文" value={keyword} onChange={setKeyword} />
      </Example>
      <Example state="密码">
        <PasswordField name="password" label="密码" defaultValue="0123456789" autoComplete="off" />
      </Example>
      <Example state="多行，数着字">
        <TextArea name="summary" label="摘要" maxLength={200} defaultValue="写给第一次来的读者。" />
      </Example>
      <Example state="选择">
        <SelectField name="category" label="分类" options={options} defaultValue="app" />
      </Example>
      <Example state="几个选一个">
        <ChoiceGroup
          name="category-choice"
          legend="分类"
          options={options}
          value={category}
          onChange={setCategory}
        />
      </Example>
      <Example state="没有选，有错">
        <ChoiceGroup name="category-none" legend="分类" options={options} error="请选择分类" />
      </Example>
      <Example state="开关">
        <SwitchField name="comment" label="允许评论" description="立即生效，不用审核" defaultChecked />
        <SwitchField name="member" label="会员免费阅读" />
      </Example>
      <Example state="自己摆放的部分">
        <FieldHead htmlFor="own-field" label="标签" aside={<small>2 / 5</small>} />
        <Input id="own-field" aria-describedby="own-field-error" aria-invalid />
        <FieldError id="own-field-error" error="标签里不能有标点符号" />
      </Example>
    </ComponentSection>
  );
}

const Picking = () => (
  <>
    <ComponentSection files="choice" text="文字就是按钮的单选框或复选框。">
      <Example state="按钮" focus>
        <Choice type="radio" name="way" value="one" defaultChecked>
          选中的
        </Choice>
        <Choice type="radio" name="way" value="two">
          没有选中
        </Choice>
      </Example>
      <Example state="小的">
        <div className="row wraps gap-2">
          <Choice type="checkbox" variant="chip" name="skill" value="go" defaultChecked>
            Go
          </Choice>
          <Choice type="checkbox" variant="chip" name="skill" value="rust">
            Rust
          </Choice>
          <Choice type="checkbox" variant="chip" name="skill" value="zig" disabled>
            不可用
          </Choice>
        </div>
      </Example>
      <Example state="卡片，长的文字">
        <Choice type="radio" variant="card" name="plan" value="year">
          {LONG_TEXT}
        </Choice>
      </Example>
    </ComponentSection>
    <ComponentSection files="chip removable-chip" text="标签一类的短词。">
      <Example state="链接" focus>
        <Chip href="#chip">
          PostgreSQL <small>12</small>
        </Chip>
      </Example>
      <Example state="不是链接">
        <Chip>排版</Chip>
      </Example>
      <Example state="可以移除">
        <RemovableChip name="数据库" onRemove={() => toast('移除了「数据库」')} />
      </Example>
      <Example state="长的文字">
        <Chip href="#chip">{LONG_TEXT}</Chip>
      </Example>
    </ComponentSection>
    <ComponentSection files="icon-button theme-icon" text="没有边框的图标按钮；换主题的图标跟着页面的主题。">
      <Example state="平常" focus>
        <IconButton label="关闭">
          <Icon name="close" />
        </IconButton>
      </Example>
      <Example state="不可用">
        <IconButton label="放大文字" aria-disabled>
          <Icon name="textLarger" />
        </IconButton>
      </Example>
      <Example state="主题">
        <ThemeIcon />
      </Example>
    </ComponentSection>
  </>
);

function Files() {
  const [path, setPath] = useState(PICTURE);
  const chosen = useRef<HTMLInputElement>(null);
  return (
    <>
      <ComponentSection files="file-input" text="自己看不见，由别的按钮按下。">
        <Example state="平常">
          <Button onClick={() => chosen.current?.click()}>选几个文件</Button>
          <FileInput
            ref={chosen}
            label="文件"
            multiple
            onFiles={(files) => toast(`选了 ${files.length} 个文件`)}
          />
        </Example>
      </ComponentSection>
      <ComponentSection files="image-upload" text="选一张图片，或把它拖进来。">
        <Example state="空">
          <ImageUpload label="封面" value="" onChange={setPath} hint="jpg、png、webp 或 gif，最大 10 MB。" />
        </Example>
        <Example state="有图">
          <ImageUpload label="封面" value={path} onChange={setPath} />
        </Example>
        <Example state="头像">
          <ImageUpload label="头像" value={path} onChange={setPath} round />
        </Example>
        <Example state="正在上传">
          <div ref={dropPicture}>
            <ImageUpload label="封面" value="" onChange={setPath} />
          </div>
        </Example>
        <Example state="有错">
          <div ref={dropPaper}>
            <ImageUpload label="封面" value="" onChange={setPath} />
          </div>
        </Example>
      </ComponentSection>
      <ComponentSection files="export-button" text="把一整个列表存成文件。">
        <Example state="平常" focus>
          <ExportButton
            fileName="list.csv"
            head={['名称']}
            toCells={(name: string) => [name]}
            readPage={async () => ({ list: ['一行'], total: 1, page: 1, pageSize: 100, next: null })}
          />
        </Example>
        <Example state="忙">
          <div ref={pressed}>
            <ExportButton fileName="list.csv" head={[]} toCells={() => []} readPage={never} />
          </div>
        </Example>
      </ComponentSection>
      <ComponentSection files="emoji-picker" text="一小组表情，用中文词找。">
        <Example state="平常" wide>
          <EmojiPicker onPick={(emoji) => toast(`选了 ${emoji}`)} />
        </Example>
      </ComponentSection>
    </>
  );
}

export const Controls = () => (
  <Group id="controls" title="控件">
    <Buttons />
    <TextBoxes />
    <Fields />
    <Picking />
    <Files />
  </Group>
);
