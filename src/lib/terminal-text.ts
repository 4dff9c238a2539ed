/**
 * Makes text from models and tools safe to print: escape sequences (colours, titles, links, clipboard writes) and
 * other control characters are taken out; tabs and line ends stay. What goes into JSON is left as it is.
 */
// CSI; OSC, DCS, SOS, PM and APC strings up to their end; two-character escapes; then lone controls.
const ESCAPES =
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u001B[ -/]*[0-~]?/g;
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

export function terminalText(text: string): string {
  return text.replace(ESCAPES, "").replace(CONTROLS, "");
}
