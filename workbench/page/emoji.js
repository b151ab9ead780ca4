/** The emoji a working day needs, by their Slack names. */

const NAMES = `
+1 👍|thumbsup 👍|-1 👎|thumbsdown 👎|ok_hand 👌|wave 👋|clap 👏|raised_hands 🙌|pray 🙏|muscle 💪
point_right 👉|point_left 👈|point_up ☝️|point_down 👇|eyes 👀|brain 🧠|handshake 🤝
writing_hand ✍️|smile 😄|grinning 😀|slightly_smiling_face 🙂|smiley 😃|grin 😁|joy 😂|wink 😉
blush 😊|sweat_smile 😅|thinking_face 🤔|neutral_face 😐|disappointed 😞|cry 😢|sob 😭|tada 🎉
confetti_ball 🎊|heart ❤️|green_heart 💚|blue_heart 💙|sparkles ✨|star ⭐|fire 🔥|rocket 🚀|boom 💥
zap ⚡|bulb 💡|bell 🔔|no_bell 🔕|mega 📣|white_check_mark ✅|heavy_check_mark ✔️
ballot_box_with_check ☑️|x ❌|negative_squared_cross_mark ❎|warning ⚠️|no_entry ⛔
no_entry_sign 🚫|stop_sign 🛑|octagonal_sign 🛑|question ❓|grey_question ❔|exclamation ❗
heavy_exclamation_mark ❗|information_source ℹ️|hourglass ⌛|hourglass_flowing_sand ⏳
stopwatch ⏱️|alarm_clock ⏰|clock1 🕐|calendar 📅|date 📅|spiral_calendar_pad 🗓️|memo 📝|pencil 📝
pencil2 ✏️|clipboard 📋|pushpin 📌|round_pushpin 📍|paperclip 📎|link 🔗|mag 🔍|lock 🔒|unlock 🔓
key 🔑|gear ⚙️|wrench 🔧|hammer 🔨|package 📦|shopping_trolley 🛒|shopping_bags 🛍️|label 🏷️
moneybag 💰|dollar 💵|chart_with_upwards_trend 📈|chart_with_downwards_trend 📉|bar_chart 📊
file_folder 📁|open_file_folder 📂|page_facing_up 📄|books 📚|book 📖|inbox_tray 📥|outbox_tray 📤
email 📧|envelope ✉️|speech_balloon 💬|thought_balloon 💭|robot_face 🤖|lobster 🦞|crab 🦀|fish 🐟
tropical_fish 🐠|ocean 🌊|sunny ☀️|cloud ☁️|coffee ☕|pizza 🍕|cake 🍰|trophy 🏆|dart 🎯|gift 🎁
red_circle 🔴|large_orange_circle 🟠|large_yellow_circle 🟡|large_green_circle 🟢
large_blue_circle 🔵|white_circle ⚪|black_circle ⚫|large_orange_diamond 🔶
small_blue_diamond 🔹|arrow_right ➡️|arrow_left ⬅️|arrow_up ⬆️|arrow_down ⬇️
arrows_counterclockwise 🔄|leftwards_arrow_with_hook ↩️|heavy_plus_sign ➕|heavy_minus_sign ➖
new 🆕|soon 🔜|id 🆔|one 1️⃣|two 2️⃣|three 3️⃣|construction 🚧|bust_in_silhouette 👤
busts_in_silhouette 👥|person_in_lotus_position 🧘|see_no_evil 🙈|100 💯|herb 🌿|seedling 🌱
wastebasket 🗑️`;

const EMOJI = new Map(
  NAMES.trim()
    .split(/[|\n]/)
    .map((entry) => entry.split(" ")),
);

/** The character of a short name, or null when it is unknown. */
export function emojiOf(name) {
  return EMOJI.get(name.replace(/::skin-tone-\d$/, "")) ?? null;
}

export function withEmoji(text) {
  return text.replace(/:([a-z0-9_+-]+):/g, (whole, name) => emojiOf(name) ?? whole);
}
