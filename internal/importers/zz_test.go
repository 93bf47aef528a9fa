package importers
import ("testing";"time";"strings";"fmt")
func TestZZ(t *testing.T) {
	for _, p := range []string{"<p>a","<div>","<b>","<a>x","<table>x","<i><p>","<table><tr><td>", "<b><div></b>", "<!--", "<svg><g>", "<a href=x", "&#x41;", "<select>", "<font color=x><p>"} {
		s := strings.Repeat(p, (2<<20)/len(p))
		t0 := time.Now()
		_, err := readHTML(s)
		fmt.Printf("%q %v %v\n", p, time.Since(t0), err)
	}
	var ch, cl strings.Builder
	for i := range 1000 { if i>0 {ch.WriteByte(',')}; fmt.Fprintf(&ch, `{"id":"c%d","text":"Item %d costs %d euros in every shop of the whole land and nobody pays more than that for it."}`, i,i,i*3) }
	for i := range 100 { if i>0 {cl.WriteByte(',')}; fmt.Fprintf(&cl, `{"claim_text":"Item %d costs","matches":[{"chunk":"c1","similarity":0.9,"support_level":"full","snippet":"nobody anywhere wrote these words %d at all"}]}`, i,i) }
	in := fmt.Sprintf(`{"format":"sanad.session/v1","session":{"answer":"x"},"documents":[{"id":"d","chunks":[%s]}],"claims":[%s]}`, ch.String(), cl.String())
	t0 := time.Now()
	_, err := Read([]byte(in), Options{})
	fmt.Println("given", time.Since(t0), err)
	// unlocated claims
	ans := strings.Repeat("Some sentence about nothing much. ", 20000)
	cl.Reset()
	for i := range 5000 { if i>0 {cl.WriteByte(',')}; fmt.Fprintf(&cl, `{"claim_text":"Paraphrased thing number %d costs money","matches":[]}`, i) }
	in = fmt.Sprintf(`{"format":"sanad.session/v1","session":{"answer":"%s"},"documents":[],"claims":[%s]}`, ans, cl.String())
	t0 = time.Now()
	_, err = Read([]byte(in), Options{})
	fmt.Println("locate", time.Since(t0), err)
	in = fmt.Sprintf(`{"format":"sanad.session/v1","session":{"answer":"x","z":[%s]},"documents":[]}`, strings.Repeat(`{"a":1,"b":[1,2,"x"]},`, 2_000_000)+"1")
	t0 = time.Now()
	_, err = Read([]byte(in), Options{})
	fmt.Println("unknown", len(in), time.Since(t0), err)
}
