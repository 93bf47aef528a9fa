package e2e
import ("testing";"context";"time";"fmt";"github.com/chromedp/chromedp")
func TestZZ(t *testing.T){
 o:=startBureau(t); b:=open(t,o.app)
 b.as(o,"sara"); b.visit("/packs/"+o.packs["dec_supplier_payment"])
 b.click(`form[action$="/return"] button`)
 for i:=0;i<8;i++{ time.Sleep(500*time.Millisecond)
  ctx,c:=context.WithTimeout(b.ctx,2*time.Second)
  v,err:=chromedp.Run(ctx,chromedp.Evaluate[string]("location.href+' '+document.readyState+' '+document.title"))
  fmt.Println(v,err); c() }
}
