// The parser's names, in lower case because it repeats the sender's, and the ones people expect.
// A name missing here is unknown: so nobody fills the reports with names of their own making.

const table = (rows: string): Map<string, string> => new Map(rows.trim().split('\n').flatMap(row => {
  const [name = '', ...aliases] = row.split(/[=,]/).map(cell => cell.trim())
  return [name, ...aliases].filter(alias => alias !== '').map(alias => [alias.toLowerCase(), name])
}))

/** Browsers: the name we give = further names the parser gives. */
export const browserNames = table(`
2345Explorer
360 Browser
Alipay
Android Browser
Android WebView = Chrome WebView
Amazon Silk = Silk
Avant
AVG Secure Browser
Avast Secure Browser
Baidu
Basilisk
BlackBerry Browser
Brave
Camino
Chrome
Chrome Headless
Chromium
Cobalt
Coc Coc
Comodo Dragon
Dillo
Dolphin
DuckDuckGo
Edge
Electron
Epiphany
Facebook
Falkon
Firefox = Fennec, Iceweasel, IceCat, Iceape, Firebird, Phoenix, Mozilla, Swiftfox
Firefox Focus = Focus, Klar
Firefox Reality
Google App = GSA
HeyTap Browser = HeyTap
Huawei Browser
Instagram
Internet Explorer = IE, IEMobile
Iridium
Iron
K-Meleon
KakaoTalk = KakaoStory
Kindle
Klarna
Konqueror
LieBao = LBBROWSER
Line
LinkedIn
Links
Lynx
Maxthon
Midori
Mi Browser = MIUI Browser
Naver
Naver Whale = Whale
NetFront
Netscape
NetSurf
Nokia Browser = NokiaBrowser, Ovi
Oculus Browser
OmniWeb
Opera = Opera Mobi, Opera Mobile, Opera Tablet, Opera Touch, Opera Coast
Opera GX
Opera Mini
Pale Moon = PaleMoon
PhantomJS
Puffin
QQ Browser = QQBrowser, QQBrowserLite, QQ, mQQBrowser
Quark
QupZilla
Rekonq
Safari = Mobile Safari, MobileSafari
Sailfish Browser
Samsung Internet
SeaMonkey
Sleipnir
SlimBrowser = Slim
Smart Lenovo Browser
Snapchat
Sogou Explorer
Sogou Mobile
Tesla
TikTok
Tizen Browser = TizenBrowser
Twitter
UC Browser = UCBrowser
Viera
Vivaldi
Vivo Browser
w3m
Waterfox
WebKit = KHTML
WeChat
Weibo
Yandex Browser = Yandex
`)

/** Operating systems, in the same way; a Linux is Linux, whoever packed it. */
export const osNames = table(`
AIX
Amiga OS = AmigaOS
Android = Android-x86, Android x86
Bada
BeOS
BlackBerry = RIM Tablet OS
ChromeOS = Chromium OS
Chromecast
DragonFly BSD = DragonFly
Firefox OS
FreeBSD = PC-BSD, GhostBSD
Fuchsia
Haiku
HarmonyOS
iOS
KaiOS
Linux = Arch, CentOS, Debian, Deepin, Elementary OS, Fedora, Gentoo, GNU, Joli, Kubuntu, Linpus, Linspire, Lubuntu, Mageia, Mandriva, Manjaro, Mint, openSUSE, PCLinuxOS, Raspbian, RedHat, Red Hat, Sabayon, Slackware, SUSE, Ubuntu, VectorLinux, Xubuntu, Zenwalk
macOS = Mac OS
Maemo
MeeGo
MorphOS
NetBSD
Nintendo
OpenBSD
OpenVMS
OS/2
Palm OS = Palm
PlayStation
QNX
RISC OS
Sailfish OS = Sailfish
SerenityOS
Series 40 = Series40
Solaris = OpenSolaris
Symbian
Tizen
UNIX = HP-UX
watchOS
webOS
Windows
Windows Mobile
Windows Phone = Windows Phone OS
Xbox
`)
