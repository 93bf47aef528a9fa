package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// JUnit's format, as pipelines read it. Characters that XML cannot hold become U+FFFD in encoding/xml.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		About    *junitAbouts `xml:"properties"`
		Cases    []junitCase  `xml:"testcase"`
	}
	junitAbouts struct {
		All []junitAbout `xml:"property"`
	}
	junitAbout struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name     string         `xml:"name,attr"`
		Class    string         `xml:"classname,attr"`
		File     string         `xml:"file,attr"`
		Line     int            `xml:"line,attr,omitempty"`
		Failures []junitProblem `xml:"failure"`
		Error    *junitProblem  `xml:"error"`
		Skipped  *junitProblem  `xml:"skipped"`
		Out      string         `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Detail  string `xml:",chardata"`
	}
)

// noneName is the property that says how many sentences are no claims, in JUnit and SARIF.
const noneName = "sentences_that_are_no_claims"

// WriteJUnit writes a report as JUnit XML: a test suite for each session, a test case for each claim and one for
// the answer as a whole.
func WriteJUnit(w io.Writer, r *Report) error {
	out := junitSuites{Name: "sanad check " + r.File}
	for i := range r.Sessions {
		out.add(r.Sessions[i].junit(r.File))
	}
	for _, x := range r.Refused {
		out.add(x.junit(r.File))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// add adds a suite and counts its cases.
func (j *junitSuites) add(s junitSuite) {
	for i := range s.Cases {
		c := &s.Cases[i]
		s.Tests++
		switch {
		case c.Error != nil:
			s.Errors++
		case len(c.Failures) > 0:
			s.Failures++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	j.Tests, j.Failures, j.Errors, j.Skipped = j.Tests+s.Tests, j.Failures+s.Failures, j.Errors+s.Errors, j.Skipped+s.Skipped
	j.Suites = append(j.Suites, s)
}

// junit returns the suite of a session.
func (s *Session) junit(file string) junitSuite {
	class := RowOfFile(file, s.Row)
	out := junitSuite{Name: s.Called(file)}
	if s.None > 0 {
		out.About = &junitAbouts{All: []junitAbout{{Name: noneName, Value: strconv.Itoa(s.None)}}}
	}
	whole := junitCase{Name: "answer", Class: class, File: file, Line: s.Line}
	for _, f := range s.Faults {
		whole.Failures = append(whole.Failures, f.junit(""))
	}
	out.Cases = append(out.Cases, whole)
	for i := range s.Claims {
		c := &s.Claims[i]
		x := junitCase{
			Name: fmt.Sprintf("claim %d: %s", c.Number, c.Text), Class: class, File: file, Line: s.Line,
			Out: "verdict: " + c.Judged(), // a claim that passes need not be supported
		}
		for _, f := range c.Faults {
			x.Failures = append(x.Failures, f.junit(c.Where()))
		}
		if c.Unjudged && len(x.Failures) == 0 {
			x.Skipped = &junitProblem{Message: "No judge could judge the claim."}
		}
		out.Cases = append(out.Cases, x)
	}
	return out
}

// Where says where in the answer a claim is.
func (c *Claim) Where() string {
	if c.Span == nil {
		return "not located in the answer"
	}
	return fmt.Sprintf("code points %d–%d of the answer", c.Span.Start, c.Span.End)
}

func (f *Fault) junit(where string) junitProblem {
	var detail []string
	if where != "" {
		detail = append(detail, "Place: "+where)
	}
	if f.Source != nil {
		detail = append(detail, "Source: "+f.Source.Place())
		if f.Source.Words != "" {
			detail = append(detail, "It says: "+f.Source.Words)
		}
	}
	return junitProblem{Type: string(f.Fault), Message: f.Cause, Detail: strings.Join(detail, "\n")}
}

// junit returns the suite of a part that could not be read.
func (x *Refusal) junit(file string) junitSuite {
	return junitSuite{Name: RowOfFile(file, x.Row), Cases: []junitCase{{
		Name: "read", Class: RowOfFile(file, x.Row), File: file, Line: x.Line,
		Error: &junitProblem{Type: "unreadable", Message: x.Why},
	}}}
}
