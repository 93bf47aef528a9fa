package text

import (
	"regexp"
	"strings"
)

// thoughtNames are the tags between which reasoning models write what comes before their answer.
const thoughtNames = "think|thinking|thought|thoughts|reasoning|reason|reflection|scratchpad|analysis|antthinking|seed:think"

// thoughtTags are pairs of tags: those of thoughtNames, and what Mistral's, Kimi's and other models and the raw
// channels of gpt-oss have in their place.
var thoughtTags = func() (out [][2]string) {
	for name := range strings.SplitSeq(thoughtNames, "|") {
		out = append(out, [2]string{"<" + name + ">", "</" + name + ">"})
	}
	return append(out, [2]string{`\[THINK\]`, `\[/THINK\]`}, [2]string{"◁think▷", "◁/think▷"},
		[2]string{`<\|begin_of_thought\|>`, `<\|end_of_thought\|>`},
		[2]string{`(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)\b.*?<\|message\|>`, `<\|end\|>`})
}()

var (
	// thoughtPattern finds thoughts in tags at the beginning of a line, or from them to the end where they were cut off,
	// and closed ones behind a space.
	thoughtPattern = func() *regexp.Regexp {
		var all []string
		for _, t := range thoughtTags {
			all = append(all, `(?:^|\n)[ \t]*`+t[0]+`.*?(?:`+t[1]+`|\z)`, `[ \t]`+t[0]+`.*?`+t[1])
		}
		return regexp.MustCompile(`(?is)` + strings.Join(all, "|"))
	}()
	// thoughtOpen begins thoughts, and thoughtEnd closes those whose opening tag stands in the prompt.
	thoughtOpen = regexp.MustCompile(`(?i)<(?:` + thoughtNames + `)>`)
	thoughtEnd  = regexp.MustCompile(`(?is)^.*?(?:\A|\n|[^` + "`" + `])</(?:` + thoughtNames + `)>`)
	// answerChannel is what gpt-oss puts around its answer.
	answerChannel = regexp.MustCompile(`(?:<\|start\|>assistant)?<\|channel\|>final\b.*?<\|message\|>|<\|(?:return|end)\|>`)
)

// thoughtMarks are in every text that may have thoughts, in lower case.
var thoughtMarks = []string{"</", "<think", "<reason", "<thought", "<reflection", "<scratchpad", "<analysis", "<antthinking",
	"<seed:think", "[think]", "◁think▷", "<|"}

// WithoutThoughts returns an answer with line breaks for the code points of its thoughts, which state nothing: spans in
// it are those in the answer.
func WithoutThoughts(answer string) string {
	if low := strings.ToLower(answer); !containsAny(low, thoughtMarks) {
		return answer
	}
	blank := func(s string) string { return strings.Repeat("\n", Len(s)) }
	out := thoughtPattern.ReplaceAllStringFunc(answer, blank)
	if !thoughtOpen.MatchString(out) {
		out = thoughtEnd.ReplaceAllStringFunc(out, blank)
	}
	if strings.Contains(out, "<|") {
		out = answerChannel.ReplaceAllStringFunc(out, blank)
	}
	return out
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
