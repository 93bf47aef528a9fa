package recode

import (
	"errors"
	"fmt"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/strictjson"
)

// looksStream reports whether text begins like an event stream (WHATWG HTML, server-sent events).
func looksStream(head string) bool {
	line, _, _ := strings.Cut(strings.TrimLeft(head, "\r\n"), "\n")
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if strings.HasPrefix(line, field) {
			return true
		}
	}
	return false
}

// lineEnds are those of event streams.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Done is the only field of an event that stands for the end of a stream: after it, another answer may follow.
const Done = "[DONE]"

// Events returns the data of the events of a stream as {"events": […]}. Data that is no object says nothing, but for
// [DONE], which becomes an event with the field Done. A last event that was cut off is left out.
func Events(src string) (string, error) {
	var out strings.Builder
	out.Grow(len(src))
	out.WriteString(`{"events":[`)
	n := 0
	var data []string
	flush := func(line int, last bool) error {
		s := strings.TrimSpace(strings.Join(data, "\n"))
		if s == Done {
			s = `{"` + Done + `":true}`
		}
		if data = data[:0]; s == "" || s[0] != '{' {
			return nil
		}
		c := strictjson.NewLooseCursor(s, 0)
		raw, err := c.Raw()
		if last && errors.Is(err, strictjson.ErrCut) {
			return nil
		}
		if err != nil || !c.End() {
			return domain.Refuse(domain.Invalid, fmt.Sprintf("events[%d]", n), "refused_event", "Line", line)
		}
		if n++; n > 1 {
			out.WriteByte(',')
		}
		if out.Write(raw); out.Len() > mostMade {
			return tooLarge(out.Len(), mostMade)
		}
		return nil
	}
	src = lineEnds.Replace(strings.TrimPrefix(src, mark)) + "\n"
	number, lines := 0, strings.Count(src, "\n")+1
	for line := range strings.SplitSeq(src, "\n") {
		number++
		if line == "" {
			if err := flush(number-1, number >= lines-1); err != nil {
				return "", err
			}
		} else if words, ok := strings.CutPrefix(line, "data:"); ok {
			data = append(data, strings.TrimPrefix(words, " "))
		}
	}
	out.WriteString("]}") // the last line is empty, so that nothing is left to flush
	return out.String(), nil
}
