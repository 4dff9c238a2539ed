/** Something about an authorization is missing or not to be trusted. Its message ends up in front of the person. */
export class AuthorizationError extends Error {
  override readonly name = "AuthorizationError";
}
