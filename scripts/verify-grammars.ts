/**
 * What a decision and a function are for grammars that are no part of this package: the server has no use for
 * them, but with `--grammars DIR` its scanner is checked against them too.
 */
export const MORE_DECISIONS: Readonly<Record<string, string>> = {
  kotlin: `
[(if_expression) (for_statement) (while_statement) (do_while_statement) (catch_block)] @decision
(when_entry condition: (_)) @decision
(binary_expression ["&&" "||" "?:"] @decision)
(function_declaration) @function
(anonymous_function) @function`,
  scala: `
[(if_expression) (for_expression) (while_expression) (do_while_expression) (guard)] @decision
(case_clause) @decision
(case_clause pattern: (wildcard) @default . "=>")
((operator_identifier) @decision (#any-of? @decision "&&" "||"))
[(function_definition) (function_declaration)] @function`,
  lua: `
[(if_statement) (elseif_statement) (for_statement) (while_statement) (repeat_statement)] @decision
(binary_expression ["and" "or"] @decision)
[(function_declaration) (function_definition)] @function`,
};
