package gate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// The parts of SARIF 2.1.0 that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Artifacts   []sarifArtifact   `json:"artifacts"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
		Properties  map[string]string `json:"properties,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		About   string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string       `json:"id"`
		Short sarifMessage `json:"shortDescription"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifArtifact struct {
		Location *sarifArtifactLocation `json:"location,omitempty"`
		Parent   *int                   `json:"parentIndex,omitempty"`
	}
	sarifResult struct {
		Rule         string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		ID       int            `json:"id,omitempty"`
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifactLocation `json:"artifactLocation"`
		Region   *sarifRegion          `json:"region,omitempty"`
	}
	sarifArtifactLocation struct {
		URI   string `json:"uri"`
		Index *int   `json:"index,omitempty"`
	}
	sarifRegion struct {
		StartLine  int           `json:"startLine,omitempty"`
		CharOffset *int          `json:"charOffset,omitempty"`
		CharLength *int          `json:"charLength,omitempty"`
		Snippet    *sarifMessage `json:"snippet,omitempty"`
	}
	sarifLogical struct {
		Name      string `json:"name"`
		Qualified string `json:"fullyQualifiedName"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarifAbout names the tool. Validators ask for an absolute URI; Sanad has no public site.
const sarifAbout = "urn:sanad:check"

// numeric returns a version that begins with a number, as validators ask.
func numeric(version string) string {
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return "0-" + cmp.Or(version, "devel")
	}
	return version
}

// WriteSARIF writes a report as SARIF 2.1.0. A result is located at its session's row of the file; where the claim
// is in the answer, and the passage of the source, are related locations: offsets in them are not offsets in the file.
func WriteSARIF(w io.Writer, r *Report) error {
	s := sarifWriter{report: r, rules: map[ledger.Fault]int{}, run: sarifRun{
		Tool: sarifTool{Driver: sarifDriver{Name: "Sanad", Version: numeric(r.Version), About: sarifAbout,
			Rules: []sarifRule{}}}, ColumnKind: "unicodeCodePoints",
		Invocations: []sarifInvocation{{Successful: len(r.Refused) == 0}}, Results: []sarifResult{},
		Artifacts: []sarifArtifact{{Location: &sarifArtifactLocation{URI: fileURI(r.File)}}},
	}}
	if r.Judge != "" {
		s.run.Properties = map[string]string{"judge": r.Judge, noneName: strconv.Itoa(r.None())}
	}
	for i := range r.Sessions {
		s.session(&r.Sessions[i])
	}
	for _, x := range r.Refused {
		s.run.Invocations[0].Notifications = append(s.run.Invocations[0].Notifications, sarifNotification{
			Level: "error", Message: sarifMessage{x.Why}, Locations: []sarifLocation{{Physical: s.inFile(x.Line)}},
		})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{s.run}})
}

// sarifWriter makes a run. Rules and answers are listed as they come up.
type sarifWriter struct {
	report *Report
	run    sarifRun
	rules  map[ledger.Fault]int
}

// session adds the results of a session.
func (s *sarifWriter) session(x *Session) {
	for i := range x.Faults {
		f := &x.Faults[i]
		s.result(x, f, f.Cause, sarifLogical{Name: "answer", Qualified: joint(x.Row) + x.Within + "answer"}, nil)
	}
	answer := -1
	for i := range x.Claims {
		c := &x.Claims[i]
		if len(c.Faults) == 0 {
			continue
		}
		if answer < 0 && c.Span != nil {
			answer = s.answer(x)
		}
		at := sarifLogical{
			Name: fmt.Sprintf("claim %d", c.Number), Qualified: fmt.Sprintf("%sclaims[%d]", joint(x.Row), c.Number-1),
		}
		for j := range c.Faults {
			f := &c.Faults[j]
			s.result(x, f, fmt.Sprintf("“%s”: %s", c.Text, f.Cause), at, s.related(c, f, answer))
		}
	}
}

// joint returns a row's place as the beginning of a longer one.
func joint(row string) string {
	if row == "" {
		return ""
	}
	return row + "."
}

// result adds a result.
func (s *sarifWriter) result(x *Session, f *Fault, message string, at sarifLogical, related []sarifLocation) {
	s.run.Results = append(s.run.Results, sarifResult{
		Rule: string(f.Fault), RuleIndex: s.rule(f.Fault), Level: "error", Message: sarifMessage{message},
		Locations: []sarifLocation{{Physical: s.inFile(x.Line), Logical: []sarifLogical{at}}},
		Related:   related, Fingerprints: map[string]string{"sanadFault/v1": fingerprint(x.Digest, at.Name, f.Fault)},
	})
}

// fingerprint recognises a fault in the next run, wherever in the file its session then is.
func fingerprint(digest, at string, f ledger.Fault) string {
	sum := sha256.Sum256([]byte(digest + "\n" + at + "\n" + string(f)))
	return hex.EncodeToString(sum[:])
}

// rule returns the index of a fault's rule.
func (s *sarifWriter) rule(f ledger.Fault) int {
	i, known := s.rules[f]
	if !known {
		rules := &s.run.Tool.Driver.Rules
		i = len(*rules)
		s.rules[f] = i
		*rules = append(*rules, sarifRule{ID: string(f), Short: sarifMessage{faultTitle(f) + "."}})
	}
	return i
}

// answer adds the answer of a session as a part of the file, and returns its index.
func (s *sarifWriter) answer(x *Session) int {
	path := "/" + strings.ReplaceAll(x.Within, ".", "/") + "answer"
	if row := strings.Trim(x.Row, "[]"); row != "" {
		path = "/" + url.PathEscape(row) + path
	}
	s.run.Artifacts = append(s.run.Artifacts, sarifArtifact{
		Location: &sarifArtifactLocation{URI: path}, Parent: number(0),
	})
	return len(s.run.Artifacts) - 1
}

// inFile is a line of the file that was checked.
func (s *sarifWriter) inFile(line int) *sarifPhysical {
	return &sarifPhysical{
		Artifact: sarifArtifactLocation{URI: fileURI(s.report.File), Index: number(0)},
		Region:   &sarifRegion{StartLine: max(line, 1)},
	}
}

// related are the claim's place in the answer and the passage that a fault rests on.
func (s *sarifWriter) related(c *Claim, f *Fault, answer int) (out []sarifLocation) {
	if c.Span != nil {
		out = append(out, sarifLocation{ID: 1, Message: &sarifMessage{"The claim in the answer"}, Physical: &sarifPhysical{
			Artifact: sarifArtifactLocation{URI: s.run.Artifacts[answer].Location.URI, Index: &answer},
			Region:   region(c.Span, c.Text),
		}})
	}
	if p := f.Source; p != nil {
		said := "The source: " + p.Place()
		if p.Span == nil && p.Words != "" {
			said += ": “" + p.Words + "”"
		}
		out = append(out, sarifLocation{
			ID: len(out) + 1, Message: &sarifMessage{said},
			Physical: &sarifPhysical{Artifact: sarifArtifactLocation{URI: fileURI(p.Document)}, Region: region(p.Span, p.Words)},
		})
	}
	return out
}

// region is a stretch of a text in code points, nil if it is unknown.
func region(span *text.Span, words string) *sarifRegion {
	if span == nil {
		return nil
	}
	out := &sarifRegion{CharOffset: number(span.Start), CharLength: number(span.Len())}
	if words != "" {
		out.Snippet = &sarifMessage{words}
	}
	return out
}

func number(n int) *int { return &n }

// fileURI returns a file's name as a URI reference.
func fileURI(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}
