package documents

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/block"
	"sanad/internal/domain/text"
)

// formulaOf reads a formula of a test.
func formulaOf(t *testing.T, s string) *block.Formula {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	var r block.FormulaReader
	for {
		token, err := d.RawToken()
		if err != nil {
			break
		}
		r.Token(token)
	}
	require.NotNil(t, r.Done)
	return r.Done
}

// TestFormulasStandOnALine holds how formulas of MathML and OMML are written, so that no figure of them is glued to
// another.
func TestFormulasStandOnALine(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		`<math><mfrac><mn>3</mn><mn>4</mn></mfrac></math>`:                                                                                     "3/4",
		`<math><mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math>`:                                                                           "2 1/2",
		`<math><msup><mn>10</mn><mn>6</mn></msup></math>`:                                                                                      "10^6",
		`<math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>`:                                                         "E = mc^2",
		`<math><msqrt><mn>16</mn></msqrt></math>`:                                                                                              "√16",
		`<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math>`:                                                    "(a + 1)/2",
		`<math><semantics><mn>7</mn><annotation>7 \over</annotation></semantics></math>`:                                                       "7",
		`<m:oMath><m:f><m:num><m:r><m:t>5</m:t></m:r></m:num><m:den><m:r><m:t>8</m:t></m:r></m:den></m:f></m:oMath>`:                           "5/8",
		`<m:oMath><m:r><m:t>3</m:t></m:r><m:sSup><m:e><m:r><m:t>10</m:t></m:r></m:e><m:sup><m:r><m:t>4</m:t></m:r></m:sup></m:sSup></m:oMath>`: "3·10^4",
		`<m:oMath><m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e><m:r><m:t>9</m:t></m:r></m:e></m:rad></m:oMath>`:                "√9",
		`<m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i=1</m:t></m:r></m:sub><m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>x</m:t></m:r></m:e></m:nary></m:oMath>`: "∑_(i=1)^n x",
		`<m:oMath><m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:r><m:t>a</m:t></m:r></m:e><m:e><m:r><m:t>b</m:t></m:r></m:e></m:d></m:oMath>`:                                 "[a, b]",
	} {
		require.Equal(t, want, strings.TrimSpace(text.OneLine(formulaOf(t, file).Line())), file)
	}
}
