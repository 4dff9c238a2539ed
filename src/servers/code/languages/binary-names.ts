/** Extensions whose files need no look to know that they are no text. */
const BINARY = new Set(
  (
    "png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai eps raw cur dds ktx " +
    "woff woff2 ttf otf eot pfb mp3 mp4 m4a m4v ogg oga ogv wav flac aac webm mov avi mkv wmv mid " +
    "zip gz tgz bz2 xz zst lz4 7z rar tar jar war ear aar apk ipa deb rpm dmg iso cab msi nupkg whl egg gem crate " +
    "exe dll so dylib lib a o obj pdb class pyc pyo wasm bin dat db sqlite sqlite3 mdb " +
    "pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi keystore jks p12 pfx der snk res blob model onnx pb npy npz parquet"
  ).split(" "),
);

export function isBinaryName(path: string): boolean {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") && BINARY.has(path.slice(dot + 1).toLowerCase());
}
