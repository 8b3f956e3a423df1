export {
  type FeedFormat,
  type FeedScope,
  getPictureText,
  makeFeed,
  makeSitemapIndex,
  makeSitemapPart,
} from './actions.ts';
export { drawPicture } from './picture.ts';
