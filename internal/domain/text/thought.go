package text

import (
	"regexp"
	"strings"
)

// thoughtPattern finds what a reasoning model wrote before its answer, in tags at the beginning of a line, or from them
// to the end where it was cut off.
var thoughtPattern = regexp.MustCompile(`(?is)(?:^|\n)[ \t]*` +
	`(?:<think>.*?(?:</think>|\z)|<thinking>.*?(?:</thinking>|\z))`)

// thoughtEnd closes thoughts whose opening tag stands in the prompt.
var thoughtEnd = regexp.MustCompile(`(?is)^.*?</think(?:ing)?>`)

// WithoutThoughts returns an answer with line breaks for the code points of its thoughts, which state nothing: spans in
// it are those in the answer.
func WithoutThoughts(answer string) string {
	if !strings.Contains(strings.ToLower(answer), "think") {
		return answer
	}
	blank := func(s string) string { return strings.Repeat("\n", Len(s)) }
	out := thoughtPattern.ReplaceAllStringFunc(answer, blank)
	if !strings.Contains(strings.ToLower(out), "<think") {
		out = thoughtEnd.ReplaceAllStringFunc(out, blank)
	}
	return out
}
