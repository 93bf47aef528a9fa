package exporters

// guideEnglish and guideArabic are VERIFY.md. A tilde stands for a back quote.
const guideEnglish = `# How to verify this evidence pack

Pack ~{id}~. Nothing here needs our servers, and only step 1 needs our program.

SHA-256 of ~pack.json~ (the pack digest):

    {digest}

Fingerprint of ~tenant.pub~, the key that signed:

    {fingerprint}

**Do not trust this file or ~tenant.pub~ for that fingerprint**: whoever made the zip could have put both there. Compare it with the
fingerprint that the organisation gave you by another way (its website, a contract, a telephone call). Without that, all that can be shown is that
the files belong together, not who signed them.

## 1. In a browser, or with one command

Open ~verify.html~ in a browser, choose the zip and enter the fingerprint; the page works without a network. Or:

    web verify {id}.zip --fingerprint {fingerprint}

## 2. With cosign (version 3)

    cosign verify-blob-attestation --key tenant.pub --bundle pack.sigstore.json --insecure-ignore-tlog=true --type urn:sanad:evidence-pack:v1 pack.json

The same with ~pack.md~ or ~pack.pdf~ in place of ~pack.json~.

## 3. With OpenSSL (version 3) alone

    sed -n 's/.*"payload":"\([^"]*\)".*/\1/p' pack.dsse.json | base64 -d > payload.json
    sed -n 's/.*"sig":"\([^"]*\)".*/\1/p' pack.dsse.json | base64 -d > payload.sig
    { printf 'DSSEv1 28 application/vnd.in-toto+json %d ' "$(wc -c < payload.json)"; cat payload.json; } > payload.pae
    openssl pkeyutl -verify -pubin -inkey tenant.pub -rawin -in payload.pae -sigfile payload.sig
    sha256sum pack.json pack.md pack.pdf

The three sums must be the ones that ~payload.json~ names under ~subject~.

## What is in the zip

- ~pack.json~: the pack as it was frozen at submission, RFC 8785 JSON. ~pack.md~ and ~pack.pdf~ say the same for readers, with the approvals.
- ~pack.dsse.json~: the signed in-toto Statement in a DSSE envelope; ~pack.sigstore.json~: the same as a Sigstore bundle.
- ~pack.tlog-proof~: proof that the sign-off stands in the organisation's log, with a signed checkpoint of that log. Keep it: it makes you a witness.
- ~salts.json~: the salts of the content root's leaves. Who has them can prove single claims.
`

const guideArabic = `<div dir="rtl" lang="ar">

# كيفية التحقق من حزمة الأدلة هذه

الحزمة ~{id}~. لا تحتاج الخطوات أدناه إلى خوادمنا، ولا يلزم برنامجنا إلا في الخطوة الأولى.

بصمة الملف ~pack.json~ بخوارزمية SHA-256 (بصمة الحزمة):

</div>

    {digest}

<div dir="rtl" lang="ar">

بصمة المفتاح ~tenant.pub~ الذي وُقِّعت به الحزمة:

</div>

    {fingerprint}

<div dir="rtl" lang="ar">

**لا تعتمد على هذا الملف ولا على ~tenant.pub~ في معرفة بصمة المفتاح**، فمن أعدّ الملف المضغوط يستطيع أن يضع فيه ما يشاء. قارنها بالبصمة التي
زوّدتك بها الجهة من طريق آخر: موقعها الرسمي أو عقد مبرم أو مكالمة هاتفية. ومن دون ذلك لا يثبت إلا أن الملفات متوافقة فيما بينها، ولا يثبت من وقّعها.

## ١. في المتصفح أو بأمر واحد

افتح ~verify.html~ في المتصفح، ثم اختر الملف المضغوط وأدخل بصمة المفتاح. تعمل الصفحة من دون اتصال بالشبكة. أو نفّذ الأمر:

</div>

    web verify {id}.zip --fingerprint {fingerprint}

<div dir="rtl" lang="ar">

## ٢. بأداة cosign (الإصدار 3)

</div>

    cosign verify-blob-attestation --key tenant.pub --bundle pack.sigstore.json --insecure-ignore-tlog=true --type urn:sanad:evidence-pack:v1 pack.json

<div dir="rtl" lang="ar">

ويصح الأمر نفسه للملفين ~pack.md~ و~pack.pdf~ بدلًا من ~pack.json~.

## ٣. بأداة OpenSSL وحدها (الإصدار 3)

</div>

    sed -n 's/.*"payload":"\([^"]*\)".*/\1/p' pack.dsse.json | base64 -d > payload.json
    sed -n 's/.*"sig":"\([^"]*\)".*/\1/p' pack.dsse.json | base64 -d > payload.sig
    { printf 'DSSEv1 28 application/vnd.in-toto+json %d ' "$(wc -c < payload.json)"; cat payload.json; } > payload.pae
    openssl pkeyutl -verify -pubin -inkey tenant.pub -rawin -in payload.pae -sigfile payload.sig
    sha256sum pack.json pack.md pack.pdf

<div dir="rtl" lang="ar">

يجب أن تطابق البصمات الثلاث ما ورد في الملف ~payload.json~ تحت ~subject~.

## محتويات الملف المضغوط

- ~pack.json~: الحزمة كما جُمِّدت عند تقديمها للمراجعة، بصيغة RFC 8785. ويعرض ~pack.md~ و~pack.pdf~ المحتوى نفسه للقارئ مع الاعتمادات.
- ~pack.dsse.json~: بيان in-toto الموقَّع داخل مغلّف DSSE، و~pack.sigstore.json~ البيان نفسه بصيغة Sigstore.
- ~pack.tlog-proof~: إثبات أن الاعتماد مسجَّل في سجل الجهة، ومعه نقطة تحقق موقَّعة من ذلك السجل. احتفظ به لتكون شاهدًا عليه.
- ~salts.json~: قيم التمليح الخاصة بجذر المحتوى، وبها يمكن إثبات كل إفادة على حدة.

</div>
`
