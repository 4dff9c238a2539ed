/** Whether somebody is there to answer: questions go to stderr, answers come from stdin. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
