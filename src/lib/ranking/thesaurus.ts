/**
 * A small thesaurus of everyday words, English and Japanese. Language data, no rules: each line is one group.
 * SAME lines are words for the same thing (translations, true synonyms); RELATED lines are words of one subject,
 * where any of them hints at the others. It is meant for many tools, not for any one: add a word only when it
 * would help somebody who has never seen ours.
 */
export const SAME = `
list listing enumerate ls 一覧 リスト 列挙
show display view print see 表示 見 見せ 見る 閲覧
get fetch retrieve obtain 取得 入手 取り出
search find lookup locate query 検索 探 捜 調べ 探し
create make build generate 作成 作る 生成 新規
write save store 保存 書く 書き 書き込み 記録 書込
read open view show 読 読む 読み 読み込み 開く 開 読込 見 見せ 表示
delete remove erase 削除 消す 消去 除去
update edit modify change alter 更新 編集 変更 修正
run execute launch 実行 起動 走らせ
send submit 送信 送る 送付
copy duplicate コピー 複製
move rename 移動 改名
count total 数 件数 個数 合計 総数
add insert append 追加 挿入
sort order 並べ替え 順序 整列
compare comparison versus difference 比較 差 違い
convert conversion transform 変換
calculate compute evaluate 計算 算出
translate translation 翻訳 訳
summarize summary summarise 要約 まとめ 概要
overview outline
download ダウンロード
upload アップロード
start begin 開始 始める
stop end halt 停止 終了
help assist ヘルプ 助け
file ファイル
directory folder ディレクトリ フォルダ フォルダー
path パス
project repository repo プロジェクト リポジトリ
code source コード ソース
line 行 行数
program プログラム
function 関数
language 言語
number 番号 数字 数値
name 名前 名称
user ユーザー ユーザ 利用者
image picture photo photograph 画像 写真 絵
video movie film 動画 映画 ビデオ 映像
music song 音楽 曲 歌
text 文章 テキスト 本文
document doc 文書 書類 ドキュメント
page ページ 頁
table 表 テーブル
database データベース
data データ
message メッセージ 伝言
email mail メール 電子メール
web internet online site website ウェブ サイト ホームページ インターネット
url link リンク
memory remember memo note メモリ 記憶 メモ 覚え ノート
task todo reminder タスク 課題 リマインダー
calendar schedule カレンダー 予定 スケジュール
event meeting appointment 会議 予定 イベント 打ち合わせ
people person guest visitor 人 人数 名
date 日付 日時 日
time 時間 時刻
today 今日 本日
tomorrow 明日
yesterday 昨日
weather 天気 天候
temperature 気温 温度
forecast 予報
location place position 場所 位置 所在地
city town 都市 市 町 街
country nation 国
map 地図 マップ
address 住所 アドレス
lat latitude 緯度
lon long lng longitude 経度
price cost fee 価格 値段 料金 費用
money お金 金額
currency 通貨
stock share 株 株式 株価
company corporation business 会社 企業
product item goods 商品 製品 品物
shop store 店 店舗
buy purchase 購入 買う 買い
book 本 書籍 図書
news headline ニュース 報道
article 記事
recipe レシピ 料理
restaurant レストラン 飲食店
hotel ホテル 宿 宿泊
flight フライト 航空便 飛行機
train 電車 列車 鉄道
car vehicle automobile 車 自動車
travel trip journey 旅行 旅
route direction 経路 道順 ルート
game ゲーム
rank ranking ランキング 順位 ランク 位
score スコア 得点 点数
statistics stats statistic 統計
largest biggest 最大
size サイズ 大きさ 容量
content 内容 中身
information info detail 情報 詳細
resource リソース 資源
setting configuration config 設定
error エラー 誤り
test テスト 試験
version 版 バージョン
depend dependency dependencies 依存
history 履歴 歴史
status state 状態 状況
current present 現在 今
latest newest recent 最新 最近
edition 回 号
post 投稿
command コマンド 命令
shell terminal console bash シェル 端末 ターミナル
`;

export const RELATED = `
weather forecast temperature humidity rain snow wind storm climate sunny precipitation
finance financial stock market invest investment crypto cryptocurrency bitcoin ethereum nft portfolio trading token volatility fund
law legal lawyer attorney court right lawsuit regulation statute contract tenant
house home apartment property estate rent penthouse condo villa mortgage realtor
product buy shop laptop brand deal discount recommendation budget cheap
travel trip hotel flight tour vacation itinerary destination accommodation tourism attraction visit sightseeing getaway
restaurant food dining cuisine meal recipe cook ingredient dish menu lunch dinner
astrology strology horoscope zodiac astrological
news headline article story event bbc journalist press
research paper academic scholar scholarly study journal arxiv literature scientific
course learn lesson tutor lecture class education teach student university school curriculum
job career resume cv hire hiring recruit recruiter employment interview position
music song playlist artist album lyrics band concert melody
movie film tv show series watch stream streaming netflix actor cinema
book novel author read reading library literature
sport team player league match soccer football basketball baseball tournament score
game play player puzzle steam console xbox playstation rpg
health medical doctor symptom disease diagnosis medicine patient clinic therapy
fitness workout exercise training gym
diet nutrition calorie vegan vegetarian ingredient
image photo picture illustration visual icon gif logo
video youtube clip transcript channel documentary talk
audio speech voice podcast sound tts episode listen
pdf document docx file report
website web webpage url domain page internet browse scrape
seo keyword backlink ranking traffic
code coding programming developer python javascript software repository github snippet algorithm debug
app application deploy website
database sql table query record
chart graph plot diagram visualization visualize dashboard
math calculate equation algebra arithmetic formula sum multiply divide calculator
email mail inbox message letter
meeting call calendar appointment transcript event
task todo reminder habit goal productivity
translate language english spanish french japanese grammar vocabulary
marketing advertising ad campaign brand copywriting audience promotion
social media twitter facebook instagram linkedin post
company business corporate startup industry revenue ceo competitor
car vehicle truck suv dealer automotive drive motor
fuel petrol gasoline gas
map location direction route nearby address navigation distance
currency exchange convert conversion usd euro dollar yen
tax income accounting invoice
charity donate donation nonprofit ngo
gift present birthday
fashion clothes clothing dress outfit style shoe
beauty cosmetic makeup skincare
pet dog cat animal
plant garden gardening flower
art painting museum artwork artist gallery
space nasa planet mars telescope astronomy
history historical ancient civilization
bible religion god prayer verse
quran islam
dream psychology mental
population census demographic unemployment poverty
security password hack breach credential vulnerability
qr barcode
word dictionary synonym definition
plagiarism rewrite paraphrase polish grammar
poem poetry story write writing essay
`;
